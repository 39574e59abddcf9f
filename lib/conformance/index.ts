/** The conformance kit as a library: run checks from a test suite of one's own (docs/conformance.md). */
export type { Check, Level } from "./check.ts";
export { main } from "./main.ts";
export type { Report, ReportedCheck } from "./report/report.ts";
export type { Outcome, Result } from "./run-checks.ts";
export { LOGIN_CHECKS } from "./server/checks.ts";
export { CannotRun, runServer, type ServerRun } from "./server/run-server.ts";
export { DEFAULT_PATHS, type Target } from "./server/target.ts";
