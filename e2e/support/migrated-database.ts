import { inject } from "vitest";
import { createTestDatabase } from "#scripts/kit/database.ts";

/** A database for an application of the test's own. To copy a migrated one is cheaper than to migrate each. */
export const createMigratedDatabase = () => createTestDatabase(inject("migratedDatabase"));
