import {
  DELEGATION_DEADLINE_SECONDS,
  DELEGATION_LIMIT_BYTES,
  type Delegation,
  delegationUrl,
  parseDelegation,
} from "./delegation-file.ts";
import { readDeviceTime } from "./read-payload.ts";
import {
  isDeviceOnline,
  type RequestEnvironment,
  readFirstBytes,
  sendSiteRequest,
} from "./send-site-request.ts";

/** Regardless of the response's `Cache-Control`. */
export const MIN_CACHE_SECONDS = 5 * 60;
export const MAX_CACHE_SECONDS = 48 * 60 * 60;
/** Without a `Cache-Control`. */
export const DEFAULT_CACHE_SECONDS = 24 * 60 * 60;
/** Also for a file that does not list the requested host. */
export const FAILURE_CACHE_SECONDS = 5 * 60;

/** A longer `Cache-Control` is ignored, because the domain chooses it and browsers accept headers of up to 256 KB. */
const CACHE_CONTROL_LIMIT_CHARACTERS = 1024;

export type CachedDelegation = {
  domain: string;
  delegation: Delegation;
  /** Unix seconds by this device's clock. */
  askedAt: number;
  keptSeconds: number;
};

/**
 * docs/protocol.md#9-delegation. The domain learns that someone is about to sign in, so call this only after the
 * wallet's user has agreed. Never throws.
 */
export async function fetchDelegation(
  domain: string,
  { fetch, now = readDeviceTime, online = isDeviceOnline }: RequestEnvironment = {},
): Promise<CachedDelegation> {
  if (!online()) {
    const delegation = { status: "missing", reason: "this device is offline" } as const;
    return { domain, delegation, askedAt: now(), keptSeconds: 0 };
  }
  const { delegation, cacheControl } = await get(domain, fetch);
  const keptSeconds = delegation.status === "ok" ? parseCacheLifetime(cacheControl) : FAILURE_CACHE_SECONDS;
  return { domain, delegation, askedAt: now(), keptSeconds };
}

/**
 * Null if the wallet has to ask the domain again.
 * @param now Unix seconds
 */
export function readCachedDelegation(
  cached: CachedDelegation | null | undefined,
  host: string,
  now: number,
): Delegation | null {
  if (!cached) return null;
  const { delegation, askedAt, keptSeconds } = cached;
  const names = delegation.status === "ok" && delegation.hosts.includes(host);
  const seconds = names ? keptSeconds : Math.min(keptSeconds, FAILURE_CACHE_SECONDS);
  // If the clock was set back, every entry counts as expired.
  return now >= askedAt && now < askedAt + seconds ? delegation : null;
}

export function parseCacheLifetime(cacheControl: string | null): number {
  if (cacheControl === null || cacheControl.length > CACHE_CONTROL_LIMIT_CHARACTERS)
    return DEFAULT_CACHE_SECONDS;
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((directive) => directive.split("=").map((part) => part.trim()));
  const ages = directives.flatMap(([name, ...value]) =>
    name === "max-age" && value.length > 0 ? value.join("=") : [],
  );
  const fresh = !directives.some(([name]) => name === "no-store" || name === "no-cache");
  if (fresh && ages.length === 0) return DEFAULT_CACHE_SECONDS;
  // An invalid `max-age` counts as 0. If there are several values, the shortest counts.
  const seconds = ages.map((age) => (/^(?:\d+|"\d+")$/.test(age) ? Number(age.replaceAll('"', "")) : 0));
  const shortest = fresh ? Math.min(...seconds) : 0;
  return Math.min(Math.max(shortest, MIN_CACHE_SECONDS), MAX_CACHE_SECONDS);
}

async function get(
  domain: string,
  fetch: RequestEnvironment["fetch"],
): Promise<{ delegation: Delegation; cacheControl: string | null }> {
  try {
    const deadlineSeconds = DELEGATION_DEADLINE_SECONDS;
    const { response, status } = await sendSiteRequest(delegationUrl(domain), { fetch, deadlineSeconds });
    const { headers } = response;
    const body = await readFirstBytes(response, DELEGATION_LIMIT_BYTES + 1);
    const answer = { status, contentType: headers.get("content-type"), body };
    return { delegation: parseDelegation(answer, domain), cacheControl: headers.get("cache-control") };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    const reason = isTimeout
      ? `it did not answer within ${DELEGATION_DEADLINE_SECONDS} seconds`
      : "it cannot be reached, its certificate is not valid, or a wallet in a browser may not read its answer (Access-Control-Allow-Origin: *)";
    return { delegation: { status: "missing", reason }, cacheControl: null };
  }
}
