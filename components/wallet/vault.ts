import { clear, createStore, get, type UseStore, update, values } from "idb-keyval";
import { makeInstallation } from "#lib/wallet/device-info.ts";
import { checkPhrase, seedFromPhrase } from "#lib/wallet/seed.ts";

/**
 * What the browser keeps of a wallet, in IndexedDB: the phrase, unsealed, and the places it has been.
 * Every read of the phrase goes through `openWallet`, at the moment of signing: the page itself holds
 * no secret between two acts.
 */
const FORMAT = 1;
const WALLET = "wallet";

type StoredWallet = {
  format: typeof FORMAT;
  /** BIP-39 phrase. */
  phrase: string;
  /** Source of the `device_id`s. */
  installation: string;
};

/** A domain that accepted an answer of this wallet. */
export type Site = {
  domain: string;
  account: number;
  /** Of the key used there; absent where an address was. */
  fingerprint?: string;
  /** The address used there (flow C). */
  address?: string;
  /** Milliseconds since the epoch. */
  lastUsedAt: number;
};

/** An opened wallet; lives as long as the act that needs it. */
export type OpenedWallet = { seed: Uint8Array; installation: string };

/** There is a wallet in this browser already, made in another tab perhaps. */
export class WalletExistsError extends Error {}

// Two databases: a store of idb-keyval's has one to itself. Opened on first use, since the server has none.
let stores: { wallet: UseStore; sites: UseStore } | undefined;

function open() {
  stores ??= { wallet: createStore("svc-wallet", "vault"), sites: createStore("svc-wallet-sites", "sites") };
  return stores;
}

/** True when this browser has a wallet. Rejects where the browser keeps nothing for this page. */
export async function hasWallet(): Promise<boolean> {
  return (await get<StoredWallet>(WALLET, open().wallet)) !== undefined;
}

/**
 * Keeps a wallet made from `phrase`.
 * @throws WalletError when it is no phrase; WalletExistsError rather than overwrite another
 */
export async function keepWallet(phrase: string): Promise<void> {
  const made: StoredWallet = {
    format: FORMAT,
    phrase: checkPhrase(phrase),
    installation: makeInstallation(),
  };
  let kept: StoredWallet | undefined;
  await update<StoredWallet>(
    WALLET,
    (present) => {
      kept = present ?? made;
      return kept;
    },
    open().wallet,
  );
  if (kept !== made)
    throw new WalletExistsError("There is a wallet in this browser already. Reload this page.");
}

/** The wallet, opened to sign; null when there is none (any more). */
export async function openWallet(): Promise<OpenedWallet | null> {
  const stored = await get<StoredWallet>(WALLET, open().wallet);
  return stored ? { seed: await seedFromPhrase(stored.phrase), installation: stored.installation } : null;
}

/** Every site that this wallet has been to, the last first. */
export async function listSites(): Promise<Site[]> {
  const sites = await values<Site>(open().sites);
  return sites.sort((a, b) => b.lastUsedAt - a.lastUsedAt);
}

/** Notes that a site accepted an answer. */
export async function rememberSite(site: Site): Promise<void> {
  await update<Site>(siteKey(site), () => site, open().sites);
}

/** One line in the list of sites: a domain's account, or an address at a domain. */
export function siteKey({ domain, account, address }: Omit<Site, "lastUsedAt">): string {
  return `${domain} ${address ?? account}`;
}

/** Removes the phrase and every site from this browser. */
export async function wipeWallet(): Promise<void> {
  await Promise.all([clear(open().wallet), clear(open().sites)]);
}
