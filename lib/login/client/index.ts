/** The browser's side of a login: what a panel is made with. */
export type { LoginSource } from "./login-source.ts";
export type { LoginState } from "./login-state.ts";
export { siteSource } from "./site-source.ts";
export { type Login, useLogin } from "./use-login.ts";
