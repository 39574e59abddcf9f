/** What this wallet calls itself to a site, beside its platform (docs/protocol.md#15-wallet-response). */
export const WALLET_VERSION = "2.0.0";
