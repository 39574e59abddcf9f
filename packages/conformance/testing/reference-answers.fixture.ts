import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { listen, type PlantedFaults, SiteError, type TestClock } from "./reference.fixture.ts";

/** This code is correct. Faults are planted by changing a response just before it is sent. */

export type Headers = Record<string, string | string[]>;

/** In memory. It has its own clock, and a test can plant faults in it. */
export type Reference = {
  origin: URL;
  /**
   * The implementation has asked whether these faults are planted. Planting any other fault would have made no
   * difference.
   */
  asked: Set<string>;
  /** Moves the implementation's clock. */
  advance(seconds: number): void;
  close(): void;
};

const WINDOW_SECONDS = 60;
const ALLOW = { "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Content-Type" };

export class ReferenceAnswers {
  readonly #planted: PlantedFaults;
  readonly #clock: TestClock;
  readonly #inWords: boolean;
  readonly #windows = new Map<string, { count: number; until: number }>();

  /** @param inWords refusals are plain text instead of JSON */
  constructor(planted: PlantedFaults, clock: TestClock, inWords = false) {
    this.#planted = planted;
    this.#clock = clock;
    this.#inWords = inWords;
  }

  /** An error that `answer` throws becomes a refusal. */
  async listen(
    answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
    maxHeaderSize = 16 * 1024,
  ): Promise<Reference> {
    const server = createServer({ maxHeaderSize }, (request, response) => {
      answer(request, response).catch((error) => this.#fail(response, error));
    });
    const listening = await listen(server);
    this.#planted.origin = listening.origin;
    const advance = (seconds: number) => this.#clock.advance(seconds);
    return { ...listening, asked: this.#planted.asked, advance };
  }

  /**
   * Adds the number of remaining requests to the response's headers.
   * @throws {SiteError} 429 if no requests remain
   */
  count(response: ServerResponse, what: string, most: number): void {
    const { has } = this.#planted;
    const client = response.req.headers["x-forwarded-for"];
    const key = `${what} ${client !== undefined && has("forged-address") ? client : ""}`;
    const { seconds } = this.#clock;
    const openWindow = this.#windows.get(key);
    const window =
      openWindow && openWindow.until >= seconds ? openWindow : { count: 0, until: seconds + WINDOW_SECONDS };
    this.#windows.set(key, window);
    window.count++;
    if (window.count > most && !has("no-limits")) throw new SiteError(429, "rate_limited");
    const isCheck = what === "/api/svc/check" || what === "/api/checkfast";
    const counted = isCheck && has("limit-stands-still") ? 0 : window.count;
    response.setHeader("RateLimit-Limit", String(most));
    response.setHeader("RateLimit-Remaining", String(Math.max(0, most - counted)));
    response.setHeader("RateLimit-Reset", String(WINDOW_SECONDS));
  }

  /** Sends a string as plain text, and other values as JSON. */
  send(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
    const { method = "", url = "" } = response.req;
    const isText = typeof body === "string";
    const usual = {
      Date: new Date(this.#clock.seconds * 1000).toUTCString(),
      "Content-Type": isText ? "text/plain; charset=utf-8" : "application/json",
      "Cache-Control": "no-store",
      "X-Request-Id": randomUUID(),
      ...(/^\/(webhook\/|api\/fastauth)/.test(url) ? { "Access-Control-Allow-Origin": "*" } : {}),
    };
    for (const [name, value] of Object.entries({ ...usual, ...headers })) response.setHeader(name, value);
    const passed = onWire(this.#planted, {
      ...{ path: url.split("?")[0] ?? "", method, status, headers: response.getHeaders() },
      body: body === undefined ? "" : isText ? body : JSON.stringify(body),
    });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.writeHead(passed.status, passed.headers).end(method === "HEAD" ? "" : passed.body);
  }

  sendPage(response: ServerResponse, status: number, text: string, headers: Headers = {}): void {
    this.send(response, status, `<h1>${text}</h1>`, { "Content-Type": "text/html", ...headers });
  }

  /** For the preflight request that a browser sends before a wallet at another origin posts. */
  allowPost(response: ServerResponse, allow: Headers = ALLOW): void {
    this.send(response, 200, {}, allow);
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) return void response.destroy();
    const siteError = error instanceof SiteError ? error : new SiteError(500, "internal_error");
    const { status, code, message } = siteError;
    const headers: Headers = {};
    if (status === 405) headers.Allow = "GET, POST";
    if (status === 429) headers["Retry-After"] = "60";
    const details = status === 429 ? { retry_after: 60 } : siteError.details;
    const body = this.#inWords ? `Error: ${message}` : { error: { code, message, details } };
    this.send(response, status, body, headers);
  }
}

type OutgoingResponse = {
  path: string;
  method: string;
  status: number;
  /** By lower-case name. */
  headers: OutgoingHttpHeaders;
  body: string;
};

/** Returns the same object if the fault does not affect the response. */
type Fault = (answer: OutgoingResponse) => OutgoingResponse;

const ORIGIN = "access-control-allow-origin";
const CREDENTIALS = "access-control-allow-credentials";
const ONE_ID = "5b0c2e1e-6f0a-4f3c-9d55-0f6f5a6f7b1d";
const STACK = "Error: expired\n    at ReferenceLogin.accept (/srv/site/login.ts:12:7)";

const isError = ({ status }: OutgoingResponse) => status >= 400;
/** Fewer checks request a login's status than any other response, so faults are planted there. */
const isStatus = ({ path }: OutgoingResponse) =>
  /^\/(api\/(svc\/check|checkfast)|sandbox\/v1\/sessions\/)/.test(path);
const isWebhook = ({ path }: OutgoingResponse) => /^\/(webhook\/|api\/fastauth)/.test(path);
const isJson = ({ headers }: OutgoingResponse) => headers["content-type"] === "application/json";

function withHeaders(answer: OutgoingResponse, headers: OutgoingResponse["headers"]): OutgoingResponse {
  const isSame = Object.entries(headers).every(([name, value]) => answer.headers[name] === value);
  return isSame ? answer : { ...answer, headers: { ...answer.headers, ...headers } };
}

function without(answer: OutgoingResponse, ...names: string[]): OutgoingResponse {
  if (!names.some((name) => name in answer.headers)) return answer;
  const otherHeaders = Object.entries(answer.headers).filter(([name]) => !names.includes(name));
  return { ...answer, headers: Object.fromEntries(otherHeaders) };
}

function refusal(
  answer: OutgoingResponse,
  change: (error: Record<string, unknown>) => unknown,
): OutgoingResponse {
  if (!isError(answer) || !isJson(answer) || answer.method === "HEAD") return answer;
  const { error } = JSON.parse(answer.body || "{}");
  return error ? { ...answer, body: JSON.stringify(change(error)) } : answer;
}

/** In the order in which they are applied. */
const WIRE_FAULTS: Record<string, Fault> = {
  "details-null": (answer) => refusal(answer, (error) => ({ error: { ...error, details: null } })),
  "wrong-codes": (answer) =>
    answer.status === 408 ? refusal(answer, (error) => ({ error: { ...error, code: "expired" } })) : answer,
  "tells-stack": (answer) =>
    isJson(answer)
      ? refusal(answer, (error) => ({ error: { ...error, message: STACK } }))
      : isError(answer) && answer.body.startsWith("Error: ")
        ? { ...answer, body: STACK }
        : answer,
  "flat-errors": (answer) => refusal(answer, ({ message }) => ({ error: message })),
  "json-errors": (answer) =>
    isError(answer) && answer.body.startsWith("Error: ")
      ? withHeaders(
          { ...answer, body: JSON.stringify({ error: answer.body }) },
          { "content-type": "application/json" },
        )
      : answer,
  "html-errors": (answer) =>
    isError(answer) && isJson(answer)
      ? withHeaders({ ...answer, body: "<h1>Error</h1>" }, { "content-type": "text/html" })
      : answer,
  "html-answers": (answer) =>
    String(answer.headers["content-type"]).startsWith("text/plain")
      ? withHeaders(answer, { "content-type": "text/html" })
      : answer,
  "text-json": (answer) => (isJson(answer) ? withHeaders(answer, { "content-type": "text/plain" }) : answer),
  cacheable: (answer) => (isStatus(answer) ? without(answer, "cache-control") : answer),
  "cacheable-errors": (answer) => (isError(answer) ? without(answer, "cache-control") : answer),
  "no-request-id": (answer) => (isStatus(answer) ? without(answer, "x-request-id") : answer),
  "one-request-id": (answer) => (isStatus(answer) ? withHeaders(answer, { "x-request-id": ONE_ID }) : answer),
  "no-allow": (answer) => without(answer, "allow"),
  "no-retry-after": (answer) => without(answer, "retry-after"),
  "no-limit-headers": (answer) =>
    isStatus(answer) ? without(answer, "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset") : answer,
  "no-cors": (answer) => without(answer, ORIGIN),
  "cors-on-success": (answer) => (isError(answer) ? without(answer, ORIGIN) : answer),
  "cors-everywhere": (answer) => (isWebhook(answer) ? answer : withHeaders(answer, { [ORIGIN]: "*" })),
  credentials: (answer) =>
    answer.path.startsWith("/api/svc/check") || answer.path.startsWith("/api/fastauth")
      ? withHeaders(answer, { [CREDENTIALS]: "true" })
      : answer,
};

function onWire({ has }: PlantedFaults, answer: OutgoingResponse): OutgoingResponse {
  let passed = answer;
  for (const [name, fault] of Object.entries(WIRE_FAULTS)) {
    const planted = fault(passed);
    if (planted !== passed && has(name)) passed = planted;
  }
  return passed;
}
