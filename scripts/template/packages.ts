import type { PackageSource } from "./pack-package.ts";

/** What a site gets as packages: all that has to be patched when a hole is found. Files are below `lib`. */
export const PACKAGES: readonly PackageSource[] = [
  {
    manifest: "login/package.json",
    exports: {
      ".": "site/index.ts",
      "./client": "login/client/index.ts",
      "./recovery": "recovery/client/index.ts",
      "./protocol": "login/protocol/index.ts",
      "./headers": "site/headers.ts",
      "./hosted": "site/hosted.ts",
      "./hosted/client": "customer/client.ts",
      "./playwright": "site/testing/playwright.ts",
      "./testing": "login/testing/virtual-wallet.ts",
      "./tsconfig.json": "site/tsconfig.json",
    },
  },
  { manifest: "postgres/package.json", exports: { ".": "postgres/index.ts" } },
];

/** What proves that a site, a wallet or a receiver keeps the protocol; no site needs it to run. */
export const CONFORMANCE_KIT: PackageSource = {
  manifest: "conformance/package.json",
  exports: { ".": "conformance/index.ts", "./cli": "conformance/cli.ts" },
};
