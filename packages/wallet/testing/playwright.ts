import { test as base, expect } from "playwright/test";
import { Wallet, type WalletOptions } from "./wallet.ts";

/** Available to sites as `@svc/login/playwright` (docs/testing-your-site.md). */

export {
  waitForCode,
  /** @deprecated `waitForCode` */
  waitForCode as shownCode,
} from "./wait-for-code.ts";
export { expect, type Wallet, type WalletOptions };

export type WalletSettings = {
  /** For a site without a delegation, such as a hosted API in development. */
  trustedHosts: readonly string[];
};

export type WalletFixtures = {
  /** Unknown to every site. */
  wallet: Wallet;
  newWallet: (options?: WalletOptions) => Wallet;
};

/** Extend this `test`, or merge it with your own `test` using `mergeTests`. */
export const test = base.extend<WalletSettings & WalletFixtures>({
  trustedHosts: [[], { option: true }],
  newWallet: async ({ trustedHosts }, use) => {
    await use((options) => new Wallet({ trustedHosts, ...options }));
  },
  wallet: async ({ newWallet }, use) => {
    await use(newWallet());
  },
});
