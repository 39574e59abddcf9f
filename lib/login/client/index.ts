/** The browser's side of a login: what a panel is made with. */
export type { LoginSource, RefusalReason } from "./login-source.ts";
export { type LoginState, shownCode } from "./login-state.ts";
export { signOut } from "./sign-out.ts";
export { siteSource } from "./site-source.ts";
export { type Login, useLogin } from "./use-login.ts";
