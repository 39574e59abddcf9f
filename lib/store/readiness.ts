import "server-only";
import { READY_WAIT_SECONDS } from "#lib/contracts/limits.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { DatabaseWait, withDatabaseWait } from "#lib/core/database-wait.ts";
import { pool, runPrepared } from "#lib/core/db.ts";

const HAS_SCHEMA = {
  name: "has-schema",
  text: `SELECT count(*) > 0 AS ready FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
};

/** A database that answered this recently is not asked whether it answers. */
const RECENT_MS = 20;

const ANSWERS = { name: "answers", text: "SELECT 1" };

/**
 * Resolves when the database answers and has a schema. That it is this version's was seen at start; one that is being
 * migrated to the next serves this version meanwhile (docs/operations.md).
 * @throws {ApiError} 503 when it has none; whatever the driver throws when the database is away
 */
export async function assertReady(): Promise<void> {
  const ask = () => runPrepared<{ ready: boolean }>(HAS_SCHEMA, []);
  const [row] = await withDatabaseWait(new DatabaseWait(READY_WAIT_SECONDS * 1000), ask);
  if (!row?.ready)
    throw new ApiError("service_unavailable", "The database has no schema yet. Try again soon.");
}

/**
 * Resolves when the database answers, for what could be answered without it and must not be: who is signed in is not
 * known while nobody can look. Under load somebody was answered just now, and nothing is asked.
 * @throws whatever the driver throws when the database is away
 */
export async function assertDatabaseAnswers(): Promise<void> {
  if (performance.now() - pool().answeredAt > RECENT_MS) await runPrepared(ANSWERS, []);
}
