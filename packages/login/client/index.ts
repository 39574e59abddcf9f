/** The browser side of the login, for sites that build their own panel. */
export { currentMoment, elapsedMs, type Moment } from "./elapsed.ts";
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
