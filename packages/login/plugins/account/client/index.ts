/** For account pages in the browser (docs/template.md#the-account). */
import { type ChangeResult, requestChange, treatGoneAsDone } from "../../../client/fetch-json.ts";
import { createSiteSource, type LoginSource, withConfirmationPage } from "../../../client/login-source.ts";
import { announceSignOut } from "../../../client/session-watch.ts";

export { type ChangeResult, treatGoneAsDone };

/**
 * The user confirms the answering key on the page at `confirmPath`, which receives the `sid` and calls
 * `addSignInMethod`. The site must set `addsKeys: true`.
 */
export function addedKeySource(confirmPath: string): LoginSource {
  return withConfirmationPage(confirmPath, createSiteSource("login", { intent: "add" }));
}

/** The key or address is the one that answered the code. Needs an approval, like `removeSignInMethod`. */
export function addSignInMethod(sid: string): Promise<ChangeResult> {
  return requestChange("/api/account/credentials", "POST", { sid });
}

/** An empty name removes the current one. */
export function nameSignInMethod(id: string, label: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "PATCH", { label });
}

/** Signs out the other browsers that signed in with this method. Fails for the last sign-in method. */
export function removeSignInMethod(id: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "DELETE");
}

/** Other browsers still show the notices. */
export function dismissChanges(ids: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/changes/dismiss", "POST", { ids });
}

/** Also succeeds if that browser is already signed out. */
export async function signOutBrowser(id: string): Promise<ChangeResult> {
  return treatGoneAsDone(await requestChange(`/api/account/sessions/${encodeURIComponent(id)}`, "DELETE"));
}

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
