import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Has } from "./planted.fixture.ts";
import { SiteError } from "./site-error.fixture.ts";

/** How the reference site writes answers, and the places where a fault changes it. */

export type Headers = Record<string, string | string[]>;

export class Answers {
  readonly #has: Has;
  readonly #seconds: () => number;
  readonly #id = randomUUID();

  constructor(seconds: () => number, has: Has) {
    this.#has = has;
    this.#seconds = seconds;
  }

  send(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
    const has = this.#has;
    const isError = status >= 400;
    const asHtml = isError && has("html-errors");
    const isStatus = /^\/(api\/svc\/check|sandbox\/v1\/sessions\/)/.test(response.req.url ?? "");
    const isCacheable = (isStatus && has("cacheable")) || (isError && has("cacheable-errors"));
    const isNameless = isStatus && has("no-request-id");
    response.writeHead(status, {
      Date: new Date(this.#seconds() * 1000).toUTCString(),
      "Content-Type": asHtml ? "text/html" : has("text-json") ? "text/plain" : "application/json",
      ...(isCacheable ? {} : { "Cache-Control": "no-store" }),
      ...(isNameless ? {} : { "X-Request-Id": isStatus && has("one-request-id") ? this.#id : randomUUID() }),
      ...headers,
    });
    response.end(asHtml ? "<h1>Error</h1>" : JSON.stringify(body));
  }

  /** A page that is not of this login. */
  sendPage(response: ServerResponse, status: number, title: string): void {
    const headers = {
      "Content-Type": "text/html",
      "Cache-Control": "no-store",
      "X-Request-Id": randomUUID(),
    };
    response.writeHead(status, headers).end(`<h1>${title}</h1>`);
  }

  fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) return void response.destroy();
    const has = this.#has;
    const { status, code } = error instanceof SiteError ? error : { status: 500, code: "internal_error" };
    const text = error instanceof Error ? error.message : "";
    const message = has("tells-stack") && error instanceof Error ? String(error.stack) : `${text} Try again.`;
    const own = error instanceof SiteError ? error.details : {};
    const headers: Headers = {};
    if (status === 405 && !has("no-allow")) headers.Allow = "GET, POST";
    if (status === 429 && !has("no-retry-after")) headers["Retry-After"] = "60";
    const details = has("details-null") ? null : status === 429 ? { retry_after: 60 } : own;
    const told = status === 408 && has("wrong-codes") ? "expired" : code;
    const body = has("flat-errors") ? { error: message } : { error: { code: told, message, details } };
    this.send(response, status, body, { ...headers, ...this.cors(response.req, true) });
  }

  cors({ url = "", method }: IncomingMessage, isError = false): Record<string, string> {
    const has = this.#has;
    const isWebhook = url.startsWith("/webhook/");
    const credentials: Record<string, string> =
      url.startsWith("/api/svc/check") && has("credentials")
        ? { "Access-Control-Allow-Credentials": "true" }
        : {};
    if (has("cors-everywhere") || (isWebhook && !has("no-cors") && !(isError && has("cors-on-success")))) {
      return { "Access-Control-Allow-Origin": "*", ...credentials };
    }
    return method === "OPTIONS" ? {} : credentials;
  }
}
