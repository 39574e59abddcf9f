import { readdirSync } from "node:fs";
import { ADD, WINDOW_SECONDS } from "#lib/login/http/limit-counters.ts";
import { limitHeaders, tooManyRequests } from "#lib/login/http/request-limit.ts";
import { processSingleton } from "#lib/login/process/state.ts";
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
  /** What the database held when it was last told. */
  #told = 0;
  /** What it has not confirmed, and how much of that is on its way. */
  #added = 0;
  #sending = 0;
  /** When the window ends. */
  #until = 0;
  #sent: Promise<void> = Promise.resolve();

  constructor(key: string, limit: number) {
    this.#key = key;
    this.#limit = limit;
  }

  /** Requests that are left in this window, as far as this process knows. */
  get remaining(): number {
    if (this.resetMs === 0) this.#begin();
    return this.#limit - this.#told - this.#added;
  }

  /** Milliseconds until the window ends. */
  get resetMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** True until the last requests, which have to be counted one by one. */
  get isFar(): boolean {
    return this.remaining - 1 > this.#limit / PARTS;
  }

  /** Counts a request. */
  add(): void {
    const { remaining } = this;
    this.#added++;
    if (this.#sending === 0 && this.#added >= remaining / PARTS) void this.flush();
  }

  /**
   * Adds what was counted here to the database.
   * @returns false when it could not be told
   */
  async flush(): Promise<boolean> {
    this.#sent = this.#sent.then(() => (this.#added > 0 ? this.#send() : undefined));
    await this.#sent;
    return this.#added === 0;
  }

  #begin(): void {
    this.#told = 0;
    // A batch on its way counts in the window in which it arrives.
    this.#added = this.#sending;
    this.#until = performance.now() + WINDOW_SECONDS * 1000;
  }

  async #send(): Promise<void> {
    this.#sending = this.#added;
    try {
      const [row] = await runPrepared<{ points: number; reset_ms: number }>(ADD, [this.#key, this.#sending]);
      if (!row) return;
      this.#told = row.points;
      this.#added -= this.#sending;
      this.#until = performance.now() + row.reset_ms;
    } catch {
      // If the database is unreachable, this process counts alone and adds its count later.
    } finally {
      this.#sending = 0;
    }
  }
}

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
 * @throws {Refusal} 429 with `Retry-After` when there are none left
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
  for (const [at, { remaining, resetMs }] of shared.entries()) {
    if (remaining <= 0) throw tooManyRequests(counters[at]?.limit ?? limit, resetMs);
  }
  const remaining = Math.min(...shared.map((count) => count.remaining));
  const resetMs = shared[0]?.resetMs ?? 0;
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
