import type { Client } from "../kit/client.ts";
import { waitFor } from "../kit/waiting.ts";

/** A browser's event stream (docs/protocol.md#34-get-apisvcevents), as its bytes arrive. */
export class Watcher {
  readonly #hangUp = new AbortController();
  /** Everything that has come. */
  text = "";
  /** The answer's status; 0 while there is none. */
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
    for await (const part of stream.setEncoding("utf8")) this.text += part;
  }

  /** Milliseconds until this text has come, or null. */
  async until(text: string, timeoutMs: number): Promise<number | null> {
    const found = await waitFor(() => this.text.includes(text) || (this.ended && "ended"), timeoutMs);
    return found && this.text.includes(text) ? found.ms : null;
  }

  close(): void {
    this.#hangUp.abort();
  }
}
