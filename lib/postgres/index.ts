/** What the package `@svc/postgres` exports. */
export { openEmbeddedDatabase } from "./embedded.ts";
export { leaveAtExit } from "./leave-at-exit.ts";
export { ownDatabase } from "./own-database.ts";
