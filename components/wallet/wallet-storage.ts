import type { KeptDelegation } from "@svc/wallet/ask-domain";
import type { SilentSites } from "@svc/wallet/asking-browser";
import { clear, createStore, del, get, set, type UseStore, update, values } from "idb-keyval";

/** A domain that accepted an answer of this wallet. */
export type Site = {
  domain: string;
  account: number;
  /** Of the key used there; absent where an address was. */
  fingerprint?: string;
  /** The address used there (fast login). */
  address?: string;
  /** The host that took the last answer; absent where an earlier version did not note it, and in fast login. */
  receiver?: string;
  /** Milliseconds since the epoch. */
  lastUsedAt: number;
};

/** A hosted API that may take answers for one domain, because the person said so. */
export type Trust = {
  domain: string;
  host: string;
  /** Milliseconds since the epoch. */
  since: number;
};

let stores: { sites: UseStore; trusts: UseStore; delegations: UseStore; silences: UseStore } | undefined;

// A store of idb-keyval's has a database to itself. Opened on first use, since the server has none.
function open() {
  stores ??= {
    sites: createStore("svc-wallet-sites", "sites"),
    trusts: createStore("svc-wallet-trusts", "trusts"),
    delegations: createStore("svc-wallet-delegations", "delegations"),
    silences: createStore("svc-wallet-silences", "silences"),
  };
  return stores;
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

/** Takes a site off the list. Its key is not lost: the phrase gives it again. */
export async function forgetSite(site: Site): Promise<void> {
  await del(siteKey(site), open().sites);
}

/** Every pair of a domain and a hosted API that the person trusts, by name. */
export async function listTrusts(): Promise<Trust[]> {
  const trusts = await values<Trust>(open().trusts);
  return trusts.sort((a, b) => a.domain.localeCompare(b.domain));
}

/** The hosts that may take answers for `domain`. */
export async function trustedHosts(domain: string): Promise<string[]> {
  return (await listTrusts()).filter((trust) => trust.domain === domain).map(({ host }) => host);
}

/** Remembers that `host` may take answers for `domain`, and for no other. */
export async function trustHost({ domain, host }: Pick<Trust, "domain" | "host">): Promise<void> {
  await update<Trust>(`${domain} ${host}`, () => ({ domain, host, since: Date.now() }), open().trusts);
}

/** Takes such a pair back. */
export async function forgetTrust({ domain, host }: Pick<Trust, "domain" | "host">): Promise<void> {
  await del(`${domain} ${host}`, open().trusts);
}

/** What a domain said of who may take its answers, however old. */
export async function findDelegation(domain: string): Promise<KeptDelegation | undefined> {
  return get<KeptDelegation>(domain, open().delegations);
}

/** Keeps what a domain said in place of what it said before. */
export async function keepDelegation(kept: KeptDelegation): Promise<void> {
  await set(kept.domain, kept, open().delegations);
}

/** Which webhooks do not tell who is asking. */
export const SILENT_SITES: SilentSites = {
  findSilence: async (webhook) => get<number>(webhook, open().silences),
  keepSilence: async (webhook, since) => set(webhook, since, open().silences),
};

/** Forgets every place, every trust and what was asked. */
export async function wipePlaces(): Promise<void> {
  await Promise.all(Object.values(open()).map((store) => clear(store)));
}

/** A site once for each key or address. */
export function siteKey({ domain, account, address }: Omit<Site, "lastUsedAt">): string {
  return address ? `${domain} ${address}` : `${domain} ${account}`;
}
