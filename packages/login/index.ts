/** The login for a site on plain Next.js: what `@svc/login` exports (docs/template.md). */

export { createLogin, type Login, type SiteSession } from "./site/create-login.ts";
export { ConfigurationError } from "./site/env-values.ts";
export { migrate } from "./site/migrate.ts";
export type { OwnNextAuth } from "./site/own-next-auth.ts";
export { type LoginEnv, readLoginEnv } from "./site/read-login-env.ts";
export type { LoginOptions, SiteEvent } from "./site/site.ts";
export type {
  Account,
  AccountEvent,
  Candidate,
  LeftBehind,
  SignedInBrowser,
  WayIn,
} from "./site/site-account.ts";
export type { FindOrCreateUser, LoginUser } from "./site/site-users.ts";
export { type Database, pgDatabase, prismaDatabase } from "./store/database.ts";
