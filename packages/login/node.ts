/** For any Node.js server, and for Next.js without NextAuth 4 (docs/other-frameworks.md). */

export { type Database, pgDatabase, prismaDatabase } from "./database/database.ts";
export { nextSite } from "./next/next-site.ts";
export { nodeSite } from "./node/node-site.ts";
export { account } from "./plugins/account/account.ts";
export type {
  Account,
  AccountEvent,
  RemainingChange,
  /** @deprecated `RemainingChange` */
  RemainingChange as LeftBehind,
  SignedInBrowser,
  SignInMethod,
  /** @deprecated `SignInMethod` */
  SignInMethod as WayIn,
  SignInMethodCandidate,
} from "./plugins/account/read-account.ts";
export { addedKeys } from "./plugins/added-keys/added-keys.ts";
export { approvals } from "./plugins/approvals/approvals.ts";
export { events } from "./plugins/events/events.ts";
export type {
  GetCurrentUser,
  /** @deprecated Use `GetCurrentUser`. */
  GetCurrentUser as CurrentUser,
} from "./plugins/linked-wallets/current-user.ts";
export { linkedWallets } from "./plugins/linked-wallets/linked-wallets.ts";
export { ownSession } from "./plugins/own-session/own-session.ts";
export { recovery, type SiteEvent } from "./plugins/recovery/recovery.ts";
export { createLogin, type Login, type SiteSession } from "./site/create-login.ts";
export { migrate } from "./site/migrate.ts";
export {
  ConfigurationError,
  type FindOrCreateUser,
  type LoginOptions,
  type LoginUser,
} from "./site/options.ts";
export type { Plugin } from "./site/plugin.ts";
export { type LoginEnv, readLoginEnv } from "./site/read-login-env.ts";
