/** The conformance kit as a library, to run its checks from your own test suite (docs/conformance.md). */
export { CannotRun, type Check, type Level } from "./check.ts";
export { FAST_CHECKS } from "./fast/checks.ts";
export { type FastServerRun, runFast } from "./fast/run-fast.ts";
export { FAST_PATHS, type FastTarget } from "./fast/site.ts";
export type { HostedTarget } from "./hosted/api.ts";
export { HOSTED_CHECKS } from "./hosted/checks.ts";
export { type HostedServerRun, runHosted } from "./hosted/run-hosted.ts";
export { main } from "./main.ts";
export { RECEIVER_CHECKS } from "./receiver/checks.ts";
export { type ReceiverRun, runReceiver } from "./receiver/run-receiver.ts";
export type { Report, ReportedCheck } from "./report/report.ts";
export type { Outcome, Result, RunOutcome } from "./run-checks.ts";
export { LOGIN_CHECKS } from "./server/checks.ts";
export { runServer, type ServerRun } from "./server/run-server.ts";
export { DEFAULT_PATHS, type Target } from "./server/site.ts";
export { WALLET_CHECKS } from "./wallet/checks.ts";
export { runWallet, type WalletRun } from "./wallet/run-wallet.ts";
export type { WalletCommand } from "./wallet/trial.ts";
