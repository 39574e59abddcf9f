import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { z } from "zod";
import { isRecentlySilent } from "../asking-browser.ts";
import type { SiteRecords } from "../request.ts";

/** The hosts that received the user's answers: private, but not secret. */
export type ReceiverList = {
  findReceiver: (domain: string) => Promise<string | null>;
};

const Delegation = z.union([
  z.object({ status: z.literal("ok"), hosts: z.array(z.string()) }),
  z.object({ status: z.enum(["missing", "invalid"]), reason: z.string() }),
]);
const StoredPlaces = z.object({
  receivers: z.array(z.object({ domain: z.string(), host: z.string() })),
  delegations: z.array(
    z.object({ domain: z.string(), delegation: Delegation, askedAt: z.number(), keptSeconds: z.number() }),
  ),
  // Earlier versions wrote files without this field.
  silent: z.array(z.object({ webhook: z.string(), since: z.number() })).default([]),
});
type StoredPlaces = z.infer<typeof StoredPlaces>;

/**
 * The file is next to the seed file, and is created when there is something to store.
 * @param trustedHosts hosts that the user trusts for every domain
 */
export function openSiteRecordsFile(
  seedFile: string,
  trustedHosts: readonly string[],
): SiteRecords & ReceiverList {
  const path = `${seedFile.replace(/\.json$/, "")}.places.json`;
  return {
    trustedHosts: async () => trustedHosts,
    findReceiver: async (domain) => of(domain, (await read(path)).receivers)?.host ?? null,
    rememberSite: async ({ kind, domain, webhook }) => {
      if (kind === "fast") return;
      const host = new URL(webhook).hostname;
      await change(path, ({ receivers, ...rest }) => ({
        ...rest,
        receivers: [...otherDomains(domain, receivers), { domain, host }],
      }));
    },
    findDelegation: async (domain) => of(domain, (await read(path)).delegations),
    saveDelegation: (delegation) =>
      change(path, ({ delegations, ...rest }) => {
        const alive = delegations.filter(
          ({ askedAt, keptSeconds }) => askedAt + keptSeconds > delegation.askedAt,
        );
        return { ...rest, delegations: [...otherDomains(delegation.domain, alive), delegation] };
      }),
    findSilentSince: async (webhook) =>
      (await read(path)).silent.find((site) => site.webhook === webhook)?.since,
    saveSilentSince: (webhook, since) =>
      change(path, ({ silent, ...rest }) => {
        const otherSites = silent.filter(
          (site) => site.webhook !== webhook && isRecentlySilent(site.since, since),
        );
        return { ...rest, silent: [...otherSites, { webhook, since }] };
      }),
  };
}

function of<Entry extends { domain: string }>(domain: string, entries: Entry[]): Entry | undefined {
  return entries.find((entry) => entry.domain === domain);
}

function otherDomains<Entry extends { domain: string }>(domain: string, entries: Entry[]): Entry[] {
  return entries.filter((entry) => entry.domain !== domain);
}

/** A missing or damaged file counts as empty, because its contents can be requested again. */
async function read(path: string): Promise<StoredPlaces> {
  try {
    return StoredPlaces.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return { receivers: [], delegations: [], silent: [] };
  }
}

/** A wallet holds the lock for milliseconds, so an older lock is left over from a wallet that was stopped. */
const LOCK_STALE_MS = 5_000;
const LOCK_POLL_MS = 10;

/** Under a lock, because each wallet rewrites the whole file. */
async function change(path: string, by: (stored: StoredPlaces) => StoredPlaces): Promise<void> {
  const lock = `${path}.lock`;
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await takeLock(lock);
    try {
      await writeFile(temporary, JSON.stringify(by(await read(path))), { mode: 0o600 });
      await rename(temporary, path);
    } finally {
      await unlink(lock);
    }
  } catch {
    // A wallet that cannot write the file still signs in, and asks the site again the next time.
    await unlink(temporary).catch(() => {});
  }
}

/** @throws {Error} if the lock is not released in time */
async function takeLock(lock: string): Promise<void> {
  for (const until = Date.now() + LOCK_STALE_MS; Date.now() < until; ) {
    try {
      return await writeFile(lock, "", { flag: "wx", mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    if (Math.abs(Date.now() - mtimeMs) > LOCK_STALE_MS) await rm(lock, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
  throw new Error(`${lock} is still locked by another process.`);
}
