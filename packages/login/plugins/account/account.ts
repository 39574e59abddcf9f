import type { Plugin } from "../../site/plugin.ts";
import { createAccountRoutes } from "./account-routes.ts";
import { createSiteAccount, type SiteAccount } from "./read-account.ts";

declare module "../../site/plugin.ts" {
  interface LoginExtensions<UserId> {
    account: {
      /** Only reads. To change the account, call the functions of `@svc/login/account`. */
      account: SiteAccount;
    };
  }
}

export function account(): Plugin<"account"> {
  return {
    name: "account",
    needs: ["approvals"],
    routes: createAccountRoutes,
    extend: ({ run }) => ({ account: createSiteAccount(run) }),
  };
}
