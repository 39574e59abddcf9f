import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { POLL_INTERVAL_SECONDS, QR_REFRESH_SECONDS } from "#packages/login/protocol/numbers.ts";
import { Client } from "../kit/client.ts";
import { requestCode } from "../kit/login.ts";
import { quantile } from "./measure.ts";

/** How long each success took, and how often it failed. */
export class Tally {
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #times: number[] = [];
  #firstError: unknown;
  failed = 0;

  get succeeded(): number {
    return this.#times.length;
  }

  /** Why it first failed, if it never succeeded. */
  get brokenBy(): unknown {
    return this.succeeded === 0 ? this.#firstError : undefined;
  }

  /** Runs the task once. Returns null if it failed. */
  run<Result>(task: () => Promise<Result>): Promise<Result | null> {
    const attempt = this.#attempt(task).finally(() => this.#underWay.delete(attempt));
    this.#underWay.add(attempt);
    return attempt;
  }

  async #attempt<Result>(task: () => Promise<Result>): Promise<Result | null> {
    const started = performance.now();
    try {
      const result = await task();
      this.#times.push(performance.now() - started);
      return result;
    } catch (error) {
      this.failed++;
      this.#firstError ??= error;
      return null;
    }
  }

  /** Milliseconds that the successes took. Waits until every task has ended. */
  async quantiles(): Promise<{ p50: number; p95: number; p99: number }> {
    await Promise.all(this.#underWay);
    const sorted = this.#times.sort((a, b) => a - b);
    return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) };
  }
}

/** How long Chromium waits before it reopens a stream that the server has ended. */
const STREAM_REOPENED_SECONDS = 3;
/** How long the login page waits before it asks again for a stream that was refused. */
const STREAM_RETRY_SECONDS = 15;

const noTallies = () => ({ codes: new Tally(), polls: new Tally(), streams: new Tally() });

/** Open login pages without a scan: each renews its code, polls and keeps an event stream (packages/login/client). */
export class OpenPages {
  readonly #speedup: number;
  readonly #streams = new Set<IncomingMessage>();
  #closed = false;
  #tallies = noTallies();

  /** @param speedup how many times faster than real pages these are */
  constructor(speedup = 1) {
    this.#speedup = speedup;
  }

  /** How many event streams are open. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Tallies what begins from now on. */
  startTallies() {
    this.#tallies = noTallies();
    return this.#tallies;
  }

  async open(origin: string): Promise<void> {
    const browser = new Client(origin);
    const code = await this.#tallies.codes.run(() => requestCode(browser));
    if (!code) return;
    const query = `?sid=${code.sid}`;
    void this.#repeat(POLL_INTERVAL_SECONDS, () =>
      this.#tallies.polls.run(() => browser.expect(200, `/api/svc/check${query}`)),
    );
    void this.#repeat(QR_REFRESH_SECONDS, () =>
      this.#tallies.codes.run(() => browser.expect(200, `/api/svc/qr${query}&mode=login`)),
    );
    void this.#listen(browser, `/api/svc/events${query}`);
  }

  close(): void {
    this.#closed = true;
    for (const stream of this.#streams) stream.destroy();
  }

  /** As the page does: the interval begins when the last answer has come. */
  async #repeat(everySeconds: number, ask: () => Promise<unknown>): Promise<void> {
    for (;;) {
      await this.#pause(everySeconds);
      if (this.#closed) return;
      await ask();
    }
  }

  async #listen(browser: Client, path: string): Promise<void> {
    while (!this.#closed) {
      const stream = await this.#tallies.streams.run(() => openStream(browser, path));
      if (stream) {
        this.#streams.add(stream);
        // It may have ended already.
        await finished(stream).catch(() => {});
        this.#streams.delete(stream);
      }
      await this.#pause(stream ? STREAM_REOPENED_SECONDS : STREAM_RETRY_SECONDS);
    }
  }

  /** Does not keep the process alive. */
  #pause(seconds: number): Promise<void> {
    return sleep((seconds * 1000) / this.#speedup, undefined, { ref: false });
  }
}

/** Opens an event stream, and throws away what it says. */
async function openStream(browser: Client, path: string): Promise<IncomingMessage> {
  const stream = await browser.open(path);
  stream.on("error", () => {}).resume();
  if (stream.statusCode === 200) return stream;
  throw new Error(`/api/svc/events: ${stream.statusCode}`);
}
