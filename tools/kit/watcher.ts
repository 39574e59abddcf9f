import { EventStream } from "#e2e/support/event-stream.ts";
import type { Client } from "./client.ts";
import { requestCode } from "./login.ts";
import { waitFor } from "./waiting.ts";

const PENDING_MS = 10_000;

/** docs/protocol.md#34-get-apisvcevents. Records messages as they arrive. */
export class Watcher {
  readonly #hangUp = new AbortController();
  readonly #messages: { text: string; at: number }[] = [];
  /** 0 until the response has arrived. */
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
    const { signal } = this.#hangUp;
    const response = await browser.fetch(`/api/svc/events?sid=${sid}`, { signal });
    this.status = response.status;
    const stream = new EventStream(response);
    for (let message = await stream.next(); message; message = await stream.next()) {
      this.#messages.push({ text: JSON.stringify(message.data), at: performance.now() });
    }
  }

  /**
   * Returns when a message that contains this text arrived (performance.now()). Returns null if no such message arrives
   * in time or before the stream ends.
   */
  async waitForMessage(text: string, timeoutMs: number): Promise<number | null> {
    const find = () => this.#messages.find((message) => message.text.includes(text));
    await waitFor(() => find() !== undefined || this.ended, timeoutMs);
    return find()?.at ?? null;
  }

  close(): void {
    this.#hangUp.abort();
  }
}

/** Shows a code and listens to the event stream. */
export type WaitingBrowser = { browser: Client; sid: string; challenge: string; watcher: Watcher };

/** Resolves when the stream has reported the pending status. */
export async function openWaitingBrowser(browser: Client, mode = "login"): Promise<WaitingBrowser> {
  const { sid, challenge } = await requestCode(browser, mode);
  const watcher = new Watcher(browser, sid);
  if ((await watcher.waitForMessage('"pending"', PENDING_MS)) === null) {
    throw new Error(`the event stream answers ${watcher.status}`);
  }
  return { browser, sid, challenge, watcher };
}
