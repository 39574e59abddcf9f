import type { CachedDelegation } from "@svc/wallet/fetch-delegation";
import type { SiteRecords } from "@svc/wallet/request";
import { clear, createStore, del, get, set, type UseStore, values } from "idb-keyval";

/** A domain that has accepted a response from this wallet. */
export type Site = {
  domain: string;
  account: number;
  /** The fingerprint of the key that is used on this domain. Fast login uses an address instead. */
  fingerprint?: string;
  address?: string;
  /** The host that received the last response. Fast login and earlier versions do not store this host. */
  receiver?: string;
  /** Milliseconds since the epoch. */
  lastUsedAt: number;
};

export type TrustedHost = {
  domain: string;
  host: string;
  since: number;
};

let stores: Record<"sites" | "trusts" | "delegations" | "silences", UseStore> | undefined;

// Each idb-keyval store is a separate database. Opened on first use, because the server has no IndexedDB.
function open() {
  stores ??= {
    sites: createStore("svc-wallet-sites", "sites"),
    trusts: createStore("svc-wallet-trusts", "trusts"),
    delegations: createStore("svc-wallet-delegations", "delegations"),
    silences: createStore("svc-wallet-silences", "silences"),
  };
  return stores;
}

export const SAVED_SITE_RECORDS: SiteRecords = {
  trustedHosts: async (domain) =>
    (await listTrustedHosts()).filter((trust) => trust.domain === domain).map(({ host }) => host),
  findDelegation: async (domain) => get<CachedDelegation>(domain, open().delegations),
  saveDelegation: async (cached) => set(cached.domain, cached, open().delegations),
  findSilentSince: async (webhook) => get<number>(webhook, open().silences),
  saveSilentSince: async (webhook, since) => set(webhook, since, open().silences),
  rememberSite: async ({ kind, domain, webhook }, { account, fingerprint, address }) => {
    const receiver = kind === "fast" ? undefined : new URL(webhook).hostname;
    const site = { domain, account, fingerprint, address, receiver, lastUsedAt: Date.now() };
    await set(siteKey(site), site, open().sites);
  },
};

/** Most recently used first. */
export async function listSites(): Promise<Site[]> {
  const sites = await values<Site>(open().sites);
  return sites.sort((a, b) => b.lastUsedAt - a.lastUsedAt);
}

/** The seed phrase can still restore the site's key. */
export async function removeSite(site: Site): Promise<void> {
  await del(siteKey(site), open().sites);
}

export async function listTrustedHosts(): Promise<TrustedHost[]> {
  const trusts = await values<TrustedHost>(open().trusts);
  return trusts.sort((a, b) => a.domain.localeCompare(b.domain));
}

/** Applies to this domain only. */
export async function trustHost({ domain, host }: Pick<TrustedHost, "domain" | "host">): Promise<void> {
  await set(`${domain} ${host}`, { domain, host, since: Date.now() }, open().trusts);
}

export async function removeTrustedHost({ domain, host }: TrustedHost): Promise<void> {
  await del(`${domain} ${host}`, open().trusts);
}

export async function wipeSiteRecords(): Promise<void> {
  await Promise.all(Object.values(open()).map((store) => clear(store)));
}

export function siteKey({ domain, account, address }: Site): string {
  return address ? `${domain} ${address}` : `${domain} ${account}`;
}
