import { siteAddingSource as addingSource } from "@svc/login/account";
import { RECOVERY_PATH } from "@svc/login/recovery";
import { confirmOnPage, type LoginSource } from "#lib/login/client/login-source.ts";
import { fastSource, issueFastCode } from "#lib/login/fast/fast-source.ts";

/** Where a wallet's answer is confirmed, when it is to be added to the signed-in user instead of signing in. */
const CONFIRM_ADDITION_PATH = "/dashboard/add/confirm";

/** A code that adds a wallet's key to the signed-in user. */
export const siteAddingSource = (): LoginSource => addingSource(CONFIRM_ADDITION_PATH);

/** The same, for an address. */
export function fastAddingSource(): LoginSource {
  const issue = (sid: string | null) => issueFastCode(sid, { intent: "add" });
  return confirmOnPage(CONFIRM_ADDITION_PATH, { ...fastSource(), issue });
}

/** A code whose answer becomes the new address of the account that this browser recovers. */
export function fastRecoveringSource(): LoginSource {
  const issue = (sid: string | null) => issueFastCode(sid, { intent: "recover" });
  return confirmOnPage(RECOVERY_PATH, { ...fastSource(), issue });
}

/** A code that has one of the signed-in user's addresses approve a change. */
export function fastApprovingSource(): LoginSource {
  return { ...fastSource(), issue: (sid) => issueFastCode(sid, { intent: "approve" }) };
}
