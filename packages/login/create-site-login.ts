import { nextSite } from "./next/next-site.ts";
import { account } from "./plugins/account/account.ts";
import { addedKeys } from "./plugins/added-keys/added-keys.ts";
import { approvals } from "./plugins/approvals/approvals.ts";
import { events } from "./plugins/events/events.ts";
import { linkedWallets } from "./plugins/linked-wallets/linked-wallets.ts";
import { nextAuth } from "./plugins/next-auth/next-auth.ts";
import { recovery } from "./plugins/recovery/recovery.ts";
import { createLogin, type Login, type LoginSetUp } from "./site/create-login.ts";
import type { FindOrCreateUser, LoginOptions } from "./site/options.ts";
import type { Plugin } from "./site/plugin.ts";

export type SiteLogin<UserId extends number | string = number, Name extends string = SitePlugin> = Login<
  UserId,
  Name
>;

type SitePlugin = ReturnType<typeof sitePlugins>[number]["name"];
type OwnUsers = { findOrCreateUser: FindOrCreateUser };
type NoOwnUsers = { findOrCreateUser?: undefined };

/** All features except the fast login. */
export const sitePlugins = (options: Parameters<typeof nextSite>[0] = {}) =>
  [
    nextSite(options),
    nextAuth(),
    approvals(),
    addedKeys(),
    linkedWallets(),
    recovery(),
    account(),
    events(),
  ] as const;

export function createSiteLogin<const Plugins extends readonly Plugin[]>(
  setUp: LoginSetUp<Plugins, LoginOptions & OwnUsers>,
): Login<string, Plugins[number]["name"]>;
export function createSiteLogin<const Plugins extends readonly Plugin[]>(
  setUp: LoginSetUp<Plugins, LoginOptions & NoOwnUsers>,
): Login<number, Plugins[number]["name"]>;
/** @deprecated Name the plugins: `createLogin({ plugins: [ … ], setUp })`. Without a list, a site has all plugins. */
export function createSiteLogin(setUp: () => Promise<LoginOptions & OwnUsers>): SiteLogin<string>;
/** @deprecated Name the plugins: `createLogin({ plugins: [ … ], setUp })`. Without a list, a site has all plugins. */
export function createSiteLogin(setUp: () => Promise<LoginOptions & NoOwnUsers>): SiteLogin;
export function createSiteLogin(
  setUpOrOptions: LoginSetUp<readonly Plugin[], LoginOptions> | (() => Promise<LoginOptions>),
): object {
  const loginSetUp =
    typeof setUpOrOptions === "function" ? { plugins: sitePlugins(), setUp: setUpOrOptions } : setUpOrOptions;
  // The overloads have already checked whether the site has its own users.
  return createLogin(loginSetUp as LoginSetUp<readonly Plugin[], LoginOptions & NoOwnUsers>);
}
