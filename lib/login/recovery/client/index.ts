/** The browser's side of recovery and approvals: what `@svc/login/recovery` exports (docs/template.md). */
export type { ApprovalWay } from "../../approval/details.ts";
export { type ChangeResult, requestChange } from "../../approval/request-change.ts";
export { siteApprovingSource } from "../../approval/sources.ts";
export { readCode } from "../code.ts";
export type { AccountRecovery, CodeHolder, CodesItem, PendingItem, RecoveryView } from "../recovery-view.ts";
export { RECOVERY_PATH, siteRecoveringSource } from "./recovering-source.ts";
export {
  cancelRecovery,
  checkCode,
  confirmCodes,
  createRecoveryCodes,
  minutesToWait,
  openRecovery,
  readCodes,
  removeWaysBefore,
} from "./request-recovery.ts";
