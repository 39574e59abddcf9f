import "server-only";
import { ApiError } from "../http/api-error.ts";
import { db } from "./db.ts";

/**
 * Resolves when the database answers and has a schema. That it is this version's was seen at start; one that is being
 * migrated to the next serves this version meanwhile (docs/operations.md).
 * @throws {ApiError} 503 when it has none; whatever the driver throws when the database is away
 */
export async function assertReady(): Promise<void> {
  const rows = await db().$queryRaw<{ ready: boolean }[]>`
    SELECT count(*) > 0 AS ready FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  if (!rows[0]?.ready)
    throw new ApiError("service_unavailable", "The database has no schema yet. Try again soon.");
}
