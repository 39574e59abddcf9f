/** The browser's side of a login: what a panel is made with. */
export { type LoginSource, siteSource } from "./login-source.ts";
export { type LoginState, shownCode } from "./login-state.ts";
export { redeemLogin, signIn, signOut } from "./next-auth.ts";
export { type UseLogin, useLogin } from "./use-login.ts";
export { type LoginSession, useLoginSession } from "./use-login-session.ts";
