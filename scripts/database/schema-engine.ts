/**
 * Prisma's own schema engine, as WebAssembly: the one behind `prisma migrate`, without the binary that
 * the command line wants to download.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";
import type pg from "pg";

/** No table or enum is left out of a comparison. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** The engine at work on one database. */
export interface SchemaEngineSession {
  engine: engineModule.SchemaEngine;
  /** What went wrong, where the engine only says that something outside of it did. */
  causeOf(error: unknown): unknown;
  /** Frees the engine; the pool is the caller's. */
  free(): void;
}

let loading: Promise<void> | undefined;

/**
 * Starts an engine on one pool of connections.
 *
 * @param completeScript may add to a script what is to be committed together with it
 */
export async function startSchemaEngine(
  pool: pg.Pool,
  completeScript: (script: string) => string = (script) => script,
): Promise<SchemaEngineSession> {
  loading ??= load();
  await loading;
  const factory = bindMigrationAwareSqlAdapterFactory(wholeScripts(pool, completeScript));
  const engine = await engineModule.SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
  return {
    engine,
    causeOf(error) {
      const id = error instanceof Error ? /External error id#(\d+)/.exec(error.message)?.[1] : undefined;
      return id === undefined ? error : (factory.errorRegistry.consumeError(Number(id))?.error ?? error);
    },
    free: () => engine.free(),
  };
}

async function load(): Promise<void> {
  const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = await WebAssembly.compile(readFileSync(join(dirname(script), "schema_engine_bg.wasm")));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": { ...engineModule } });
  engineModule.__wbg_set_wasm(exports);
  if (typeof exports.__wbindgen_start === "function") exports.__wbindgen_start();
}

/**
 * Prisma's adapter, sending a script as one message: PostgreSQL then runs it whole or not at all. Left to
 * itself the adapter splits at every semicolon, those in strings and function bodies too, and commits each part.
 */
function wholeScripts(
  pool: pg.Pool,
  completeScript: (script: string) => string,
): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      adapter.executeScript = async (script) => {
        await pool.query(completeScript(script));
      };
      return adapter;
    },
    // For comparing with a database, which this adapter cannot do: it does not read the type "char" of the catalogues.
    connectToShadowDb: () => Promise.reject(new Error("Scratch databases are not supported.")),
  };
}
