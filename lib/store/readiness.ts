import "server-only";
import { ApiError } from "#lib/core/api-error.ts";
import { db } from "#lib/core/db.ts";

/**
 * Resolves when the database answers and its migrations are all applied.
 * @throws {ApiError} 503 when one is unfinished; whatever the driver throws when the database is away
 */
export async function assertReady(): Promise<void> {
  const rows = await db().$queryRaw<{ ready: boolean }[]>`
    SELECT count(*) > 0 AND bool_and(finished_at IS NOT NULL OR rolled_back_at IS NOT NULL) AS ready
    FROM _prisma_migrations`;
  if (!rows[0]?.ready)
    throw new ApiError("service_unavailable", "The database is being migrated. Try again soon.");
}
