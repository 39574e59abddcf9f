import { defineConfig } from "prisma/config";

// Prisma's command line is only used for `generate` and `validate`. Migrations use the WebAssembly engine
// (scripts/database/migrate.ts). If this variable names an existing binary, Prisma does not download a schema engine,
// which would never be used.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/schema.prisma" });
