/** The browser's side of a login, for a site's own panel. */
export { elapsedMs, type Moment, thisMoment } from "./elapsed.ts";
export {
  type AppliedChange,
  type ApprovalMethod,
  type ChangeResult,
  requestChange,
  watchChanges,
} from "./fetch-json.ts";
export { approvalSource, type LoginSource, siteSource } from "./login-source.ts";
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
export { type UseLoginResult, useLogin } from "./use-login.ts";
