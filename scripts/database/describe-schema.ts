/**
 * For tests that compare the schema with the migrations. Runs the engine of `prisma migrate` as WebAssembly, because
 * the command line would download a binary.
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
 * @param url any PostgreSQL; the engine only reads its version
 * @param schema the text of a schema.prisma
 * @throws {Error} if the schema is not valid
 */
export async function describeSchema(url: string, schema: string): Promise<string> {
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
    const { stdout } = await engine.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content: schema }] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    engine.free();
    return stdout ?? "";
  } finally {
    await pool.end();
  }
}

/**
 * Must be called only once per process: a second instance would replace the first and then have to free its objects.
 */
async function load(): Promise<void> {
  const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = await WebAssembly.compile(readFileSync(join(dirname(script), "schema_engine_bg.wasm")));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": { ...engineModule } });
  engineModule.__wbg_set_wasm(exports);
  if (typeof exports.__wbindgen_start === "function") exports.__wbindgen_start();
}
