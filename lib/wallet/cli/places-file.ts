import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { KeptDelegation } from "../ask-domain.ts";
import { isRecent, type SilentSites } from "../asking-browser.ts";

/** Where this wallet has been, and what sites said, or do not tell. Public, but the holder's own. */
export type PlacesFile = SilentSites & {
  /** The host that took the last answer for a domain; null where none was taken. */
  findReceiver: (domain: string) => Promise<string | null>;
  rememberReceiver: (domain: string, host: string) => Promise<void>;
  findDelegation: (domain: string) => Promise<KeptDelegation | null>;
  /** Also drops those that have expired. */
  keepDelegation: (kept: KeptDelegation) => Promise<void>;
};

const Delegation = z.union([
  z.object({ status: z.literal("ok"), hosts: z.array(z.string()) }),
  z.object({ status: z.enum(["missing", "invalid"]), reason: z.string() }),
]);
const Places = z.object({
  receivers: z.array(z.object({ domain: z.string(), host: z.string() })),
  delegations: z.array(
    z.object({ domain: z.string(), delegation: Delegation, askedAt: z.number(), keptSeconds: z.number() }),
  ),
  // Absent from a file of an earlier version.
  silent: z.array(z.object({ webhook: z.string(), since: z.number() })).default([]),
});
type Places = z.infer<typeof Places>;

/** The file of places that belongs to a seed file. It is made when there is something to keep. */
export function placesBeside(seedFile: string): PlacesFile {
  const path = `${seedFile.replace(/\.json$/, "")}.places.json`;
  return {
    findReceiver: async (domain) => of(domain, (await read(path)).receivers)?.host ?? null,
    rememberReceiver: (domain, host) =>
      change(path, (places) => ({
        ...places,
        receivers: [...others(domain, places.receivers), { domain, host }],
      })),
    findDelegation: async (domain) => of(domain, (await read(path)).delegations) ?? null,
    keepDelegation: (kept) =>
      change(path, (places) => {
        const alive = places.delegations.filter(
          ({ askedAt, keptSeconds }) => askedAt + keptSeconds > kept.askedAt,
        );
        return { ...places, delegations: [...others(kept.domain, alive), kept] };
      }),
    findSilence: async (webhook) =>
      (await read(path)).silent.find((site) => site.webhook === webhook)?.since ?? null,
    keepSilence: (webhook, since) =>
      change(path, (places) => {
        const others = places.silent.filter(
          (site) => site.webhook !== webhook && isRecent(site.since, since),
        );
        return { ...places, silent: [...others, { webhook, since }] };
      }),
  };
}

function of<Entry extends { domain: string }>(domain: string, entries: Entry[]): Entry | undefined {
  return entries.find((entry) => entry.domain === domain);
}

function others<Entry extends { domain: string }>(domain: string, entries: Entry[]): Entry[] {
  return entries.filter((entry) => entry.domain !== domain);
}

/** A file that is missing or damaged holds nothing: what it would tell can be asked again. */
async function read(path: string): Promise<Places> {
  try {
    return Places.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return { receivers: [], delegations: [], silent: [] };
  }
}

async function change(path: string, by: (places: Places) => Places): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, JSON.stringify(by(await read(path))), { mode: 0o600 });
    await rename(temporary, path);
  } catch {
    // A wallet that cannot write here signs in all the same, and asks again the next time.
    await unlink(temporary).catch(() => {});
  }
}
