import type { Plugin } from "../../site/plugin.ts";
import { createAccountRoutes } from "./account-routes.ts";
import { createSiteAccount, type SiteAccount } from "./read-account.ts";

declare module "../../site/plugin.ts" {
  interface LoginExtensions<UserId> {
    account: {
      /**
       * Reads the signed-in user's account for the site's pages. To change the account, call the functions of
       * `@svc/login/account`.
       */
      account: SiteAccount;
    };
  }
}

/** Lets signed-in users manage their account: sign-in methods, browsers and history. */
export function account(): Plugin<"account"> {
  return {
    name: "account",
    needs: ["approvals"],
    routes: createAccountRoutes,
    extend: ({ run }) => ({ account: createSiteAccount(run) }),
  };
}
