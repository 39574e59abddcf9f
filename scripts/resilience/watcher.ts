import { type ClientRequest, get } from "node:http";
import type { HttpSession } from "../kit/http-session.ts";
import { waitFor } from "./waiting.ts";

/** A browser's event stream (docs/protocol.md#34-get-apisvcevents), as its bytes arrive. */
export class Watcher {
  readonly #request: ClientRequest;
  #text = "";
  /** The answer's status; 0 while there is none. */
  status = 0;
  ended = false;

  constructor(origin: string, browser: HttpSession, sid: string, address?: string) {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Cookie: cookie, ...(address && { "X-Forwarded-For": address }) };
    this.#request = get(`${origin}/api/svc/events?sid=${sid}`, { agent: false, headers }, (response) => {
      this.status = response.statusCode ?? 0;
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        this.#text += text;
      });
      response.on("close", () => {
        this.ended = true;
      });
    });
    this.#request.on("error", () => {
      this.ended = true;
    });
  }

  /** Everything that has come. */
  get text(): string {
    return this.#text;
  }

  /** Milliseconds until this text has come, or null. */
  async until(text: string, timeoutMs: number): Promise<number | null> {
    const found = await waitFor(() => this.#text.includes(text) || (this.ended && "ended"), timeoutMs);
    return found && this.#text.includes(text) ? found.ms : null;
  }

  close(): void {
    this.#request.destroy();
  }
}
