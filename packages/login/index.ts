/** The login for a site on plain Next.js: what `@svc/login` exports (docs/template.md). */

export { createSiteLogin as createLogin, type SiteLogin as Login, sitePlugins } from "./create-site-login.ts";
export { type Database, pgDatabase, prismaDatabase } from "./database/database.ts";
export { nextSite } from "./next/next-site.ts";
export { account } from "./plugins/account/account.ts";
export type {
  Account,
  AccountEvent,
  Candidate,
  LeftBehind,
  SignedInBrowser,
  SignInMethod,
  /** @deprecated `SignInMethod` */
  SignInMethod as WayIn,
} from "./plugins/account/read-account.ts";
export { addedKeys } from "./plugins/added-keys/added-keys.ts";
export { approvals } from "./plugins/approvals/approvals.ts";
export { events } from "./plugins/events/events.ts";
export { nextAuth } from "./plugins/next-auth/next-auth.ts";
export type { OwnNextAuth } from "./plugins/next-auth/own-next-auth.ts";
export { recovery, type SiteEvent } from "./plugins/recovery/recovery.ts";
export type { SiteSession } from "./site/create-login.ts";
export { migrate } from "./site/migrate.ts";
export {
  ConfigurationError,
  type FindOrCreateUser,
  type LoginOptions,
  type LoginUser,
} from "./site/options.ts";
export type { Plugin } from "./site/plugin.ts";
export { type LoginEnv, readLoginEnv } from "./site/read-login-env.ts";
