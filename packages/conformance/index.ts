/** The kit as a library for your own test suite (docs/conformance.md). */
export { CannotRun, type Check, type Level } from "./check.ts";
export { FAST_CHECKS, type FastServerRun, runFast } from "./fast/checks.ts";
export { FAST_PATHS, type FastTarget } from "./fast/site.ts";
export type { HostedTarget } from "./hosted/api.ts";
export { HOSTED_CHECKS, type HostedServerRun, runHosted } from "./hosted/checks.ts";
export { main } from "./main.ts";
export { RECEIVER_CHECKS, type ReceiverRun, runReceiver } from "./receiver/checks.ts";
export type { Report, ReportedCheck } from "./report/report.ts";
export type { Outcome, Result, RunOutcome } from "./run-checks.ts";
export { LOGIN_CHECKS, runServer, type ServerRun } from "./server/checks.ts";
export { DEFAULT_PATHS, type Target } from "./server/site.ts";
export { WALLET_CHECKS } from "./wallet/checks.ts";
export { runWallet, type WalletRun } from "./wallet/run-wallet.ts";
export type { WalletCommand } from "./wallet/trial.ts";
