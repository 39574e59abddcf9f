/** The browser's side of a user's account: what `@svc/login/account` exports (docs/template.md#the-account). */
import { type ChangeResult, requestChange } from "../../client/fetch-json.ts";
import { confirmOnPage, issueSiteCode, type LoginSource, siteSource } from "../../client/login-source.ts";

export type { ChangeResult };

/**
 * A code that adds a wallet's key to the signed-in user. Its answer is confirmed on a page of the site, which is given
 * the `sid` and calls `addWayIn`. The site says `addsKeys: true`.
 */
export function siteAddingSource(confirmPath: string): LoginSource {
  const issue = (sid: string | null) => issueSiteCode(sid, { mode: "login", intent: "add" });
  return confirmOnPage(confirmPath, { ...siteSource("login"), issue });
}

/** Adds what answered a code to the signed-in user. Needs an approval, as `removeWayIn` does. */
export function addWayIn(sid: string): Promise<ChangeResult> {
  return requestChange("/api/account/credentials", "POST", { sid });
}

/** Names a way in; an empty name takes it away. */
export function nameWayIn(id: string, label: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "PATCH", { label });
}

/** Removes a way in, and signs out the other browsers that it opened. The last one stays. */
export function removeWayIn(id: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "DELETE");
}

/** Hides changes and new browsers in this browser. */
export function dismissChanges(ids: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/changes/dismiss", "POST", { ids });
}

/** Signs one of the user's browsers out. Done when it is out, also if it was before. */
export async function endBrowser(id: string): Promise<ChangeResult> {
  return goneIsDone(await requestChange(`/api/account/sessions/${encodeURIComponent(id)}`, "DELETE"));
}

/** Signs all of them out, this one too. */
export async function endEveryBrowser(): Promise<ChangeResult> {
  return goneIsDone(await requestChange("/api/account/sessions", "DELETE"));
}

/** A session that is gone counts as ended. A 401 does not: this browser's own sign-in has ended, the others may go on. */
export function goneIsDone(result: ChangeResult): ChangeResult {
  return !result.done && result.status === 404 ? { done: true } : result;
}
