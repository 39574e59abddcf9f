/** The browser's side of recovery. These are the exports of `@svc/login/recovery` (docs/template.md). */
import {
  type ChangeResult,
  readField,
  readText,
  requestChange,
  treatGoneAsDone,
} from "../../../client/fetch-json.ts";
import { confirmOnPage, createSiteSource, type LoginSource } from "../../../client/login-source.ts";

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
 * The path of the recovery page. If its query contains the `sid` of a login, the page shows the key or address that
 * answered, and asks for confirmation.
 */
export const RECOVERY_PATH = "/recover";

/**
 * Returns a source of codes. The key that answers one becomes the new key of the account that this browser recovers.
 */
export function recoverySource(): LoginSource {
  return confirmOnPage(RECOVERY_PATH, createSiteSource("register", { intent: "recover" }));
}

/** Opens a recovery in this browser with a code. */
export function openRecovery(code: string): Promise<ChangeResult> {
  return requestChange("/api/recovery", "POST", { code });
}

/** Returns the minutes until the next attempt with a code is allowed after a 429. */
export function minutesToWait({ details }: Extract<ChangeResult, { done: false }>): number {
  return Math.max(1, Math.ceil(Number(readField(details, "retry_after") ?? 0) / 60));
}

/** Creates two new codes and invalidates the previous ones. */
export function createRecoveryCodes(): Promise<ChangeResult> {
  return requestChange("/api/account/recovery-codes", "POST");
}

/** Returns the codes in the response to `createRecoveryCodes`. */
export function readCodes(body: unknown): [string, string] | null {
  const codes = readField(body, "codes");
  const [first, second] = Array.isArray(codes) ? codes : [];
  return typeof first === "string" && typeof second === "string" ? [first, second] : null;
}

/** Activates the new codes. */
export function confirmCodes(codes: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/recovery-codes/confirm", "POST", { codes });
}

/** Checks whether a code works, without using it up. */
export async function checkCode(code: string): Promise<ChangeResult> {
  const result = await requestChange("/api/account/recovery-codes/check", "POST", { code });
  const works = result.done && readText(result.body, "status") === "active";
  return works || !result.done
    ? result
    : { done: false, status: 0, code: "", message: "That did not work. Try again.", approval: null };
}

/** Cancels the recovery of the signed-in user. Also succeeds if the recovery no longer exists. */
export async function cancelRecovery(): Promise<ChangeResult> {
  return treatGoneAsDone(await requestChange("/api/account/recovery", "DELETE"));
}

/** Removes the sign-in methods that are older than a recovery. */
export function removeOlderSignInMethods(): Promise<ChangeResult> {
  return requestChange("/api/account/credentials/before-recovery", "DELETE");
}

/** @deprecated `removeOlderSignInMethods` */
export const removeWaysBefore = removeOlderSignInMethods;
/** @deprecated `recoverySource` */
export const siteRecoveringSource = recoverySource;
