import { confirmOnPage } from "../../approval/sources.ts";
import { issueSiteCode, type LoginSource, siteSource } from "../../client/login-source.ts";

/** The page of recovery: with the `sid` of a login in its query it shows what answered, to be confirmed. */
export const RECOVERY_PATH = "/recover";

/** A code whose answer becomes the new key of the account that this browser recovers. */
export function siteRecoveringSource(): LoginSource {
  const issue = (sid: string | null) => issueSiteCode(sid, { mode: "register", intent: "recover" });
  return confirmOnPage(RECOVERY_PATH, { ...siteSource("register"), issue });
}
