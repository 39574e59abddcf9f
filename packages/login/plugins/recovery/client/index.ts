/** For recovery in the browser (docs/template.md). */
import {
  type ChangeResult,
  readField,
  readTextField,
  requestChange,
  treatGoneAsDone,
} from "../../../client/fetch-json.ts";
import { createSiteSource, type LoginSource, withConfirmationPage } from "../../../client/login-source.ts";

/** @deprecated Import these from `@svc/login/client`. */
export {
  type ApprovalMethod as ApprovalWay,
  type ChangeResult,
  requestChange,
} from "../../../client/fetch-json.ts";
/** @deprecated Import `approvalSource` from `@svc/login/client`. */
export { approvalSource as siteApprovingSource } from "../../../client/login-source.ts";
export { readCode } from "../code.ts";
export type {
  AccountRecovery,
  CodeHolder,
  PendingRecoveryInfo,
  RecoveryCodesInfo,
  RecoveryView,
} from "../read-recovery.ts";

/**
 * If the query contains the `sid` of a login, the page shows the key or address that answered the login's code, and
 * asks the user to confirm it.
 */
export const RECOVERY_PATH = "/recover";

/** The key that answers a code becomes the recovered account's new key. */
export function recoverySource(): LoginSource {
  return withConfirmationPage(RECOVERY_PATH, createSiteSource("register", { intent: "recover" }));
}

export function openRecovery(code: string): Promise<ChangeResult> {
  return requestChange("/api/recovery", "POST", { code });
}

export function minutesToWait({ details }: Extract<ChangeResult, { done: false }>): number {
  return Math.max(1, Math.ceil(Number(readField(details, "retry_after") ?? 0) / 60));
}

/** The two new codes work only after `confirmCodes`. The previous codes become invalid immediately. */
export function createRecoveryCodes(): Promise<ChangeResult> {
  return requestChange("/api/account/recovery-codes", "POST");
}

export function readCodes(body: unknown): [string, string] | null {
  const codes = readField(body, "codes");
  const [first, second] = Array.isArray(codes) ? codes : [];
  return typeof first === "string" && typeof second === "string" ? [first, second] : null;
}

export function confirmCodes(codes: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/recovery-codes/confirm", "POST", { codes });
}

/** Does not use up the code. */
export async function checkCode(code: string): Promise<ChangeResult> {
  const result = await requestChange("/api/account/recovery-codes/check", "POST", { code });
  const works = result.done && readTextField(result.body, "status") === "active";
  return works || !result.done
    ? result
    : { done: false, status: 0, code: "", message: "That did not work. Try again.", approval: null };
}

/** Also succeeds if the recovery no longer exists. */
export async function cancelRecovery(): Promise<ChangeResult> {
  return treatGoneAsDone(await requestChange("/api/account/recovery", "DELETE"));
}

/** Removes those that predate the last recovery. */
export function removeOlderSignInMethods(): Promise<ChangeResult> {
  return requestChange("/api/account/credentials/before-recovery", "DELETE");
}

/** @deprecated `removeOlderSignInMethods` */
export const removeWaysBefore = removeOlderSignInMethods;
/** @deprecated `recoverySource` */
export const siteRecoveringSource = recoverySource;
