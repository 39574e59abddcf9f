/** The login for a site on plain Next.js: what `@svc/login` exports (docs/template.md). */
export { ConfigurationError } from "#lib/platform/env-values.ts";
export { createLogin, type Login } from "./create-login.ts";
export { migrate } from "./migrate.ts";
export { type LoginEnv, readLoginEnv } from "./read-login-env.ts";
export type { LoginOptions } from "./site.ts";
