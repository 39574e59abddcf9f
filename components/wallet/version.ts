/** What this wallet calls itself to a site, beside its platform (specification 2.5). */
export const WALLET_VERSION = "2.0.0";
