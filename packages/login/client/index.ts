/** The browser's side of a login, for a site's own panel. */
export { elapsedMs, type Moment, thisMoment } from "./elapsed.ts";
export {
  type ApprovalMethod,
  type ChangeResult,
  type MadeChange,
  requestChange,
  watchChanges,
} from "./fetch-json.ts";
export { type LoginSource, siteApprovingSource, siteSource } from "./login-source.ts";
export { type LoginState, shownCode } from "./login-state.ts";
export { announceSignOut, useSessionWatch } from "./session-watch.ts";
export {
  type LoginSession,
  redeemLogin,
  signIn,
  signInAgainPath,
  signOut,
  useLoginSession,
} from "./sign-in.ts";
export { type UseLogin, useLogin } from "./use-login.ts";
