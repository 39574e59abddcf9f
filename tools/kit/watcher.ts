import type { Client } from "./client.ts";
import { requestCode } from "./login.ts";
import { waitFor } from "./waiting.ts";

const PENDING_MS = 10_000;

/** A browser's event stream (docs/protocol.md#34-get-apisvcevents), as its bytes arrive. */
export class Watcher {
  readonly #hangUp = new AbortController();
  readonly #parts: { end: number; at: number }[] = [];
  /** Everything received so far. */
  text = "";
  /** The response's status; 0 until it has arrived. */
  status = 0;
  ended = false;

  constructor(browser: Client, sid: string) {
    this.#read(browser, sid)
      .catch(() => {})
      .finally(() => {
        this.ended = true;
      });
  }

  async #read(browser: Client, sid: string): Promise<void> {
    const stream = await browser.open(`/api/svc/events?sid=${sid}`, this.#hangUp.signal);
    this.status = stream.statusCode ?? 0;
    for await (const part of stream.setEncoding("utf8")) {
      this.text += part;
      this.#parts.push({ end: this.text.length, at: performance.now() });
    }
  }

  /**
   * When a text had arrived completely (performance.now()); null if it does not arrive in time or before the stream
   * ends.
   */
  async arrival(text: string, timeoutMs: number): Promise<number | null> {
    await waitFor(() => this.text.includes(text) || (this.ended && "ended"), timeoutMs);
    const start = this.text.indexOf(text);
    if (start < 0) return null;
    return this.#parts.find(({ end }) => end >= start + text.length)?.at ?? null;
  }

  close(): void {
    this.#hangUp.abort();
  }
}

/** A browser that shows a code and listens for its events. */
export type WaitingBrowser = { browser: Client; sid: string; challenge: string; watcher: Watcher };

/** Makes a browser show a code and listen; resolves once the stream reports the pending status. */
export async function openWaitingBrowser(browser: Client, mode = "login"): Promise<WaitingBrowser> {
  const { sid, challenge } = await requestCode(browser, mode);
  const watcher = new Watcher(browser, sid);
  if ((await watcher.arrival('"pending"', PENDING_MS)) === null) {
    throw new Error(`the event stream answers ${watcher.status}`);
  }
  return { browser, sid, challenge, watcher };
}
