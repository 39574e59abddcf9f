import { readdirSync } from "node:fs";
import { BatchedCount } from "#lib/platform/http/batched-count.ts";
import { countersOf, requestLimit } from "#lib/platform/http/rate-limit.ts";
import { limitHeaders, tooManyRequests } from "#lib/platform/http/request-limit.ts";
import { processSingleton } from "#lib/platform/process-singleton.ts";
import { isApiPath } from "#lib/routes/api-routes.ts";

/** Clients and networks that are counted at a time; beyond that the oldest is forgotten. */
const COUNTS_KEPT = 10_000;

const counts = processSingleton("page-counts", () => new Map<string, BatchedCount>());

/** Addresses outside the API that are no pages: they have limits of their own or none. */
const NO_PAGES = [
  "/dashboard/enter",
  "/healthz",
  "/readyz",
  "/metrics",
  "/wallet/sw.js",
  "/wallet/manifest.webmanifest",
];

/**
 * Tells pages, unknown ones included, from everything else that the framework answers.
 * @param publicFolder holds the files that are served as they are
 */
export function pageMatcher(publicFolder: string): (url: string) => boolean {
  const others = new Set([...NO_PAGES, ...readdirSync(publicFolder).map((name) => `/${name}`)]);
  return (url) => {
    const path = url.split("?", 1)[0] ?? "";
    return !others.has(path) && !/^\/(?:_next\/static|api\/auth)\//.test(path) && !isApiPath(path);
  };
}

/**
 * Counts a page that a client asks for. Far from the limit this costs no query. The last pages before the limit are
 * counted in the database one by one, so that the limit is exact.
 * @returns the `RateLimit-*` headers of the answer
 * @throws {ApiError} 429 with `Retry-After` when there are none left
 */
export async function countPage(client: string): Promise<Record<string, string>> {
  const counters = countersOf("page", client);
  const shared = counters.map(({ key, limit }) => sharedCount(key, limit));
  if (!shared.every(({ isFar }) => isFar)) {
    const told = await Promise.all(shared.map((count) => count.flush()));
    if (told.every(Boolean)) {
      const exact = requestLimit("page", client);
      await exact.take();
      return exact.headers;
    }
  }
  const [{ limit }] = counters;
  const remaining = Math.min(...shared.map((count) => count.remaining));
  const resetMs = shared[0]?.resetMs ?? 0;
  if (remaining <= 0) throw tooManyRequests(limit, resetMs);
  for (const count of shared) count.add();
  return limitHeaders(limit, remaining - 1, resetMs);
}

function sharedCount(key: string, limit: number): BatchedCount {
  const known = counts().get(key);
  if (known) return known;
  const [oldest] = counts().keys();
  if (counts().size >= COUNTS_KEPT && oldest !== undefined) counts().delete(oldest);
  const made = new BatchedCount(key, limit);
  counts().set(key, made);
  return made;
}
