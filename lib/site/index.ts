/** The login for a site on plain Next.js: what `@svc/login` exports (docs/template.md). */
export { type Database, pgDatabase, prismaDatabase } from "#lib/login/store/database.ts";
export { ConfigurationError } from "#lib/platform/env-values.ts";
export { createLogin, type Login, type SiteSession } from "./create-login.ts";
export { migrate } from "./migrate.ts";
export type { LoginOptions, SiteEvent } from "./options.ts";
export type { OwnNextAuth } from "./own-next-auth.ts";
export { type LoginEnv, readLoginEnv } from "./read-login-env.ts";
export type { FindOrCreateUser, LoginUser } from "./site-users.ts";
