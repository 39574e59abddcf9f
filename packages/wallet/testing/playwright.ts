import { test as base, expect } from "playwright/test";
import { Wallet, type WalletOptions } from "./wallet.ts";

/**
 * The Playwright fixture `@svc/login/playwright`, which provides wallets for browser tests (docs/testing-your-site.md).
 */

export {
  waitForCode,
  /** @deprecated `waitForCode` */
  waitForCode as shownCode,
} from "./wait-for-code.ts";
export { expect, type Wallet, type WalletOptions };

export type WalletSettings = {
  /** Hosts that may receive answers for a site without a delegation, such as a hosted API in development. */
  trustedHosts: readonly string[];
};

export type WalletFixtures = {
  /** A new wallet that is unknown to every site. */
  wallet: Wallet;
  /** Creates another wallet. */
  newWallet: (options?: WalletOptions) => Wallet;
};

/** Playwright's `test` with wallets. Extend this `test`, or merge it with your own `test` using `mergeTests`. */
export const test = base.extend<WalletSettings & WalletFixtures>({
  trustedHosts: [[], { option: true }],
  newWallet: async ({ trustedHosts }, use) => {
    await use((options) => new Wallet({ trustedHosts, ...options }));
  },
  wallet: async ({ newWallet }, use) => {
    await use(newWallet());
  },
});
