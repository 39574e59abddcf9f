import { readdirSync } from "node:fs";
import { ADD } from "#lib/login/http/limit-counters.ts";
import { WINDOW_SECONDS } from "#lib/login/http/numbers.ts";
import { limitHeaders } from "#lib/login/http/request-limit.ts";
import { runPrepared } from "#lib/platform/database/db.ts";
import { countersOf, requestLimit } from "#lib/platform/http/rate-limit.ts";
import { isApiPath } from "#lib/routes/api-routes.ts";

/** A batch is this part of the requests that are left; the last of them are counted one by one. */
const PARTS = 20;

/**
 * A counter that processes share without a query for each request. Requests are counted in memory and added to the
 * database in batches in the background; the answer tells what other processes have added. Batches shrink as the
 * limit comes near, so that a process has at most a twentieth of what is left uncounted.
 */
class BatchedCount {
  readonly #key: string;
  readonly #limit: number;
  /** Requests of this window that the database was told of, those of other processes included. */
  #shared = 0;
  /** What it was not told of yet. */
  #own = 0;
  #windowEnd = 0;
  #sent = Promise.resolve();

  constructor(key: string, limit: number) {
    this.#key = key;
    this.#limit = limit;
  }

  /** Requests that are left in this window, as far as this process knows. */
  get remaining(): number {
    if (this.resetMs === 0) {
      this.#shared = 0;
      this.#own = 0;
      this.#windowEnd = performance.now() + WINDOW_SECONDS * 1000;
    }
    return this.#limit - this.#shared - this.#own;
  }

  /** Milliseconds until the window ends. */
  get resetMs(): number {
    return Math.max(0, this.#windowEnd - performance.now());
  }

  /** True until the last requests, which have to be counted one by one. */
  get isFar(): boolean {
    return this.remaining - 1 > this.#limit / PARTS;
  }

  /** Counts a request. */
  add(): void {
    this.#own++;
    if (this.#own >= this.remaining / PARTS) void this.flush();
  }

  /** Adds what was counted here to the database. If that is unreachable, only this process knows of it. */
  flush(): Promise<void> {
    this.#sent = this.#sent.then(() => this.#send()).catch(() => {});
    return this.#sent;
  }

  async #send(): Promise<void> {
    const added = this.#own;
    if (added === 0) return;
    this.#own = 0;
    this.#shared += added;
    const [row] = await runPrepared<{ points: number; reset_ms: number }>(ADD, [this.#key, added]);
    if (!row) return;
    this.#shared = row.points;
    this.#windowEnd = performance.now() + row.reset_ms;
  }
}

/** Clients and networks that are counted at a time; beyond that the oldest is forgotten. */
const COUNTS_KEPT = 10_000;

const counts = new Map<string, BatchedCount>();

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
 * @throws {Refusal} 429 with `Retry-After` when there are none left
 */
export async function countPage(client: string): Promise<Record<string, string>> {
  const counters = countersOf("page", client);
  const shared = counters.map(({ key, limit }) => sharedCount(key, limit));
  if (!shared.every(({ isFar }) => isFar)) {
    await Promise.all(shared.map((count) => count.flush()));
    const exact = requestLimit("page", client);
    await exact.take();
    return exact.headers;
  }
  for (const count of shared) count.add();
  const remaining = Math.min(...shared.map((count) => count.remaining));
  return limitHeaders(counters[0].limit, remaining, shared[0]?.resetMs ?? 0);
}

function sharedCount(key: string, limit: number): BatchedCount {
  const known = counts.get(key);
  if (known) return known;
  const [oldest] = counts.keys();
  if (counts.size >= COUNTS_KEPT && oldest !== undefined) counts.delete(oldest);
  const made = new BatchedCount(key, limit);
  counts.set(key, made);
  return made;
}
