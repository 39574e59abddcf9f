/**
 * What a migration from one Prisma schema to another has to do.
 */
import pg from "pg";
import { NO_FILTERS, startSchemaEngine } from "./schema-engine.ts";

/**
 * The SQL that leads from one schema to another.
 *
 * @param url any PostgreSQL: the engine asks its version, and nothing else
 * @param before the text of a schema.prisma, or undefined for an empty database
 * @param after the text of the wanted one
 * @returns undefined when there is nothing to do
 * @throws {Error} when a schema is not valid
 */
export async function diffSchemas(
  url: string,
  before: string | undefined,
  after: string,
): Promise<string | undefined> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const session = await startSchemaEngine(pool);
    const { exitCode, stdout } = await session.engine.diff({
      from: before === undefined ? { tag: "empty" } : toTarget(before),
      to: toTarget(after),
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    session.free();
    return exitCode === 0 ? undefined : (stdout ?? undefined);
  } finally {
    await pool.end();
  }
}

function toTarget(content: string) {
  return { tag: "schemaDatamodel" as const, files: [{ path: "schema.prisma", content }] };
}
