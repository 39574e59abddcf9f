/**
 * The browser's side of a user's account. These are the exports of `@svc/login/account` (docs/template.md#the-account).
 */
import { type ChangeResult, requestChange, treatGoneAsDone } from "../../../client/fetch-json.ts";
import { confirmOnPage, createSiteSource, type LoginSource } from "../../../client/login-source.ts";
import { announceSignOut } from "../../../client/session-watch.ts";

export { type ChangeResult, treatGoneAsDone };

/**
 * Returns a source of codes that add a wallet's key to the account of the signed-in user. The user confirms the answer
 * on a page of the site. That page gets the `sid` and calls `addSignInMethod`. The site must set `addsKeys: true`.
 */
export function addedKeySource(confirmPath: string): LoginSource {
  return confirmOnPage(confirmPath, createSiteSource("login", { intent: "add" }));
}

/**
 * Adds the key or address that answered a code to the signed-in user's account. Needs an approval, like
 * `removeSignInMethod`.
 */
export function addSignInMethod(sid: string): Promise<ChangeResult> {
  return requestChange("/api/account/credentials", "POST", { sid });
}

/** Names a sign-in method. An empty name removes the existing name. */
export function nameSignInMethod(id: string, label: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "PATCH", { label });
}

/** Removes a sign-in method and signs out the other browsers that signed in with it. The last one cannot be removed. */
export function removeSignInMethod(id: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "DELETE");
}

/** Hides changes and new browsers in this browser. */
export function dismissChanges(ids: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/changes/dismiss", "POST", { ids });
}

/** Signs out one of the user's browsers. Also succeeds if the browser is already signed out. */
export async function signOutBrowser(id: string): Promise<ChangeResult> {
  return treatGoneAsDone(await requestChange(`/api/account/sessions/${encodeURIComponent(id)}`, "DELETE"));
}

/** Signs out all of the user's browsers, including this one. */
export async function signOutAllBrowsers(): Promise<ChangeResult> {
  const result = treatGoneAsDone(await requestChange("/api/account/sessions", "DELETE"));
  if (result.done) announceSignOut();
  return result;
}

/** @deprecated `addSignInMethod` */
export const addWayIn = addSignInMethod;
/** @deprecated `nameSignInMethod` */
export const nameWayIn = nameSignInMethod;
/** @deprecated `removeSignInMethod` */
export const removeWayIn = removeSignInMethod;
/** @deprecated `treatGoneAsDone` */
export const goneIsDone = treatGoneAsDone;
/** @deprecated `addedKeySource` */
export const siteAddingSource = addedKeySource;
/** @deprecated `signOutBrowser` */
export const endBrowser = signOutBrowser;
/** @deprecated `signOutAllBrowsers` */
export const endEveryBrowser = signOutAllBrowsers;
