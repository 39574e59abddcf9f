/**
 * Computes what a migration from one Prisma schema to another has to do. Runs the engine of `prisma migrate` as
 * WebAssembly, without the binary that the command line wants to download.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

let loading: Promise<void> | undefined;

/**
 * The SQL that leads from one schema to another.
 *
 * @param url any PostgreSQL: the engine asks only for its version
 * @param before the text of a schema.prisma, or undefined for an empty database
 * @param after the text of the wanted schema.prisma
 * @returns undefined if there is nothing to do
 * @throws {Error} if a schema is not valid
 */
export async function diffSchemas(
  url: string,
  before: string | undefined,
  after: string,
): Promise<string | undefined> {
  loading ??= load();
  await loading;
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const adapter = new PrismaPg(pool);
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: () => adapter.connect(),
    connectToShadowDb: () => Promise.reject(new Error("Scratch databases are not supported.")),
  });
  try {
    const engine = await engineModule.SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
    const { exitCode, stdout } = await engine.diff({
      from: before === undefined ? { tag: "empty" } : toTarget(before),
      to: toTarget(after),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    engine.free();
    return exitCode === 0 ? undefined : (stdout ?? undefined);
  } finally {
    await pool.end();
  }
}

/** Call it once in a process: a second instance would replace the first, and be asked to free the first's objects. */
async function load(): Promise<void> {
  const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = await WebAssembly.compile(readFileSync(join(dirname(script), "schema_engine_bg.wasm")));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": { ...engineModule } });
  engineModule.__wbg_set_wasm(exports);
  if (typeof exports.__wbindgen_start === "function") exports.__wbindgen_start();
}

function toTarget(content: string) {
  return { tag: "schemaDatamodel" as const, files: [{ path: "schema.prisma", content }] };
}
