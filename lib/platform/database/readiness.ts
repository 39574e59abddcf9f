import type { Statement } from "#packages/login/database/database.ts";
import { DatabaseWaitTimer, runWithDatabaseWaitTimer } from "#packages/login/database/database-wait.ts";
import { READINESS_TIMEOUT_SECONDS } from "#packages/login/http/numbers.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { database, pool } from "./db.ts";

const HAS_SCHEMA: Statement = {
  name: "has-schema",
  text: `SELECT count(*) > 0 AS ready FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
};

/** How long after a response from the database no other query is needed. */
const RECENT_MS = 20;

const ANSWERS: Statement = {
  name: "answers",
  text: "SELECT 1",
};

/**
 * The schema's version was already checked at startup. During a migration to the next version, the database still
 * serves this version (docs/operations.md).
 * @throws {Refusal} 503 if the database has no schema; the driver's error if it is unreachable
 */
export async function assertReady(): Promise<void> {
  const ask = () => database().run<{ ready: boolean }>(HAS_SCHEMA, []);
  const [row] = await runWithDatabaseWaitTimer(new DatabaseWaitTimer(READINESS_TIMEOUT_SECONDS * 1000), ask);
  if (!row?.ready) throw refusal("service_unavailable", "The database has no schema yet. Try again soon.");
}

/**
 * For responses that contain the signed-in user but need no query. Sends no query if another one has just succeeded.
 * @throws the driver's error if the database is unreachable
 */
export async function assertDatabaseAnswers(): Promise<void> {
  if (performance.now() - pool().answeredAt > RECENT_MS) await database().run(ANSWERS, []);
}
