import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { SiteError } from "./reference.fixture.ts";

/** How the references write answers: always correctly. A fault in an answer is planted on the wire. */

export type Headers = Record<string, string | string[]>;

export class Answers {
  readonly #seconds: () => number;
  readonly #inWords: boolean;

  /** @param inWords whether refusals are plain text instead of JSON */
  constructor(seconds: () => number, inWords = false) {
    this.#seconds = seconds;
    this.#inWords = inWords;
  }

  /** A text goes as plain text, and anything else as JSON. */
  send(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
    const isText = typeof body === "string";
    const isWebhook = /^\/(webhook\/|api\/fastauth)/.test(response.req.url ?? "");
    response.writeHead(status, {
      Date: new Date(this.#seconds() * 1000).toUTCString(),
      "Content-Type": isText ? "text/plain; charset=utf-8" : "application/json",
      "Cache-Control": "no-store",
      "X-Request-Id": randomUUID(),
      ...(isWebhook ? { "Access-Control-Allow-Origin": "*" } : {}),
      ...headers,
    });
    response.end(body === undefined ? "" : isText ? body : JSON.stringify(body));
  }

  sendPage(response: ServerResponse, status: number, title: string): void {
    this.send(response, status, `<h1>${title}</h1>`, { "Content-Type": "text/html" });
  }

  fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) return void response.destroy();
    const known = error instanceof SiteError ? error : new SiteError(500, "internal_error");
    const { status, code, message } = known;
    const headers: Headers = {};
    if (status === 405) headers.Allow = "GET, POST";
    if (status === 429) headers["Retry-After"] = "60";
    const details = status === 429 ? { retry_after: 60 } : known.details;
    const body = this.#inWords ? `Error: ${message}` : { error: { code, message, details } };
    this.send(response, status, body, headers);
  }
}
