import { defineConfig } from "prisma/config";

// The CLI is used for `generate` and `validate` only; migrations run through
// the WebAssembly engine (scripts/database/migrate.ts). Naming any existing
// binary keeps it from downloading a schema engine that is never started.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/schema.prisma" });
