import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, NoResponseFailure, PostponedError } from "./check.ts";
import { type Cookie, parseSetCookie } from "./cookies.ts";
import type { RequestBudget } from "./request-budget.ts";

export type Outgoing = {
  method?: string;
  /** With the query, sent unchanged even if the percent-encoding is invalid. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** In two chunks, without a `Content-Length`. */
  chunked?: true;
  /** Announces a longer body than the request contains, and then stops sending. */
  stalls?: true;
  /** By default, the check starts again after a 429. */
  expectsLimit?: true;
  /** So malformed that a server can refuse the request before the site's own code runs. */
  hostile?: true;
};

export type Answer = {
  status: number;
  /** By lower-case name. The values of headers with the same name are joined with commas. */
  headers: Record<string, string>;
  cookies: Cookie[];
  text: string;
  /** Undefined if the body is not JSON. */
  json: unknown;
  /** From the `Date` header, in milliseconds. */
  date: number;
  /** `GET /path`, for use in messages. */
  name: string;
};

export type Exchange = {
  request: string;
  request_headers: string[];
  sent: string;
  status: number;
  headers: string[];
  received: string;
};

/** A response that stays open. */
export type EventStream = {
  /** 0 if no response arrived. */
  status: number;
  allowedOrigin: string | undefined;
  receives(text: string): Promise<boolean>;
  close(): void;
};

const SHOWN_CHARACTERS = 600;
const LISTENS_MS = 10_000;
/** Node refuses to send these characters in a path. */
const NO_PATH = /[^!-\u00ff]/;
/** After an incomplete body, for which a server may wait ten seconds. */
const STALL_SECONDS = 15;
const AT_MOST_BYTES = 1024 * 1024;
/** After a 429 that has no `Retry-After`. */
const PATIENCE_SECONDS = 30;
const PATIENCE_AT_MOST_SECONDS = 120;

type Settings = {
  origin: URL;
  timeoutSeconds: number;
  budget: RequestBudget;
  agent: http.Agent;
  /** Of each limit, for other checks that are waiting. */
  reserve: () => number;
  onAnswer: (request: Outgoing, answer: Answer) => void;
  /** By default, each method and path has its own limit. */
  limitOf?: (request: Outgoing) => string;
};

/** For only one origin. Does not follow redirects or keep cookies. */
export class HttpClient {
  readonly #settings: Settings;
  readonly exchanges: Exchange[] = [];

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * @throws {NoResponseFailure} if no response arrives in time; {CheckFailure} if Node cannot request the path
   * @throws {PostponedError} after a 429, or before a request that would exceed a limit
   */
  async send(request: Outgoing): Promise<Answer> {
    const { budget, reserve, onAnswer, limitOf = routeOf } = this.#settings;
    const route = limitOf(request);
    if (!request.expectsLimit) this.requireCapacity(request, reserve() + 1);
    const answer = await this.#exchange(request);
    budget.noteLimit(route, answer.headers);
    this.exchanges.push(shown(request, answer));
    onAnswer(request, answer);
    if (answer.status === 429 && !request.expectsLimit) {
      const retrySeconds = retryAfterOf(answer);
      const seconds = retrySeconds > 0 ? Math.min(retrySeconds, PATIENCE_AT_MOST_SECONDS) : PATIENCE_SECONDS;
      throw budget.postpone(route, seconds);
    }
    return answer;
  }

  /** @throws {PostponedError} if the limit allows fewer than `count` requests of this kind now */
  requireCapacity(request: Outgoing, count: number): void {
    const { budget, limitOf = routeOf } = this.#settings;
    const until = budget.fullUntil(limitOf(request), count);
    if (until !== null) throw new PostponedError(until);
  }

  /** Listens for ten seconds. */
  async listen(path: string, headers: Record<string, string>): Promise<EventStream> {
    this.#settings.budget.spend();
    const request = this.#open({ path, headers, agent: undefined });
    request.setTimeout(LISTENS_MS, () => request.destroy()).end();
    const response = await new Promise<http.IncomingMessage | null>((resolve) => {
      request.on("response", resolve).on("error", () => resolve(null));
    });
    let received = "";
    response?.setEncoding("utf8").on("error", () => {});
    response?.on("data", (part: string) => {
      received += part;
    });
    return {
      status: response?.statusCode ?? 0,
      allowedOrigin: response?.headers["access-control-allow-origin"],
      async receives(text) {
        const until = Date.now() + LISTENS_MS;
        while (!received.includes(text) && !request.destroyed && Date.now() < until) await sleep(20);
        return received.includes(text);
      },
      close: () => request.destroy(),
    };
  }

  #open(options: http.RequestOptions): http.ClientRequest {
    const { origin, agent } = this.#settings;
    const send = origin.protocol === "https:" ? https.request : http.request;
    const host = origin.hostname.replace(/^\[|\]$/g, "");
    return send({ agent, host, port: origin.port || undefined, ...options });
  }

  #exchange(request: Outgoing, isSecondTry = false): Promise<Answer> {
    const { budget } = this.#settings;
    const timeoutSeconds = Math.max(this.#settings.timeoutSeconds, request.stalls ? STALL_SECONDS : 0);
    const { method = "GET", path, headers = {}, body, chunked, stalls } = request;
    const name = `${method} ${path.split("?")[0]}`.slice(0, 80);
    // The path can contain text from the tested side.
    if (NO_PATH.test(path)) fail(`${name} cannot be sent, because its path is not valid in a request.`);
    budget.spend();
    const declared = Buffer.byteLength(body ?? "") + (stalls ? 100 : 0);
    const sized = body === undefined || chunked ? {} : { "Content-Length": String(declared) };
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutSeconds * 1000);
      const outgoing = this.#open({ method, path, headers: { ...sized, ...headers }, signal });
      outgoing.on("response", (incoming) => {
        readBody(incoming).then((text) => resolve(answerOf(incoming, text, name)), giveUp);
      });
      outgoing.on("error", giveUp);
      if (stalls) outgoing.write(body ?? "");
      else if (chunked && body) {
        outgoing.write(body.slice(0, 1));
        outgoing.end(body.slice(1));
      } else outgoing.end(body);

      function giveUp(error: Error): void {
        outgoing.destroy();
        // The server closed an idle connection just as the client was reusing it.
        if (outgoing.reusedSocket && "code" in error && error.code === "ECONNRESET" && !isSecondTry) {
          retry();
        } else if (signal.aborted)
          reject(new NoResponseFailure(`${name} got no answer within ${timeoutSeconds} s.`));
        else reject(new NoResponseFailure(`${name} got no answer: ${error.message}.`, { cause: error }));
      }
      const retry = () => this.#exchange(request, true).then(resolve, reject);
    });
  }
}

/** In seconds. The header contains a number, or a date by the server's clock. NaN if it contains neither. */
function retryAfterOf({ headers: { "retry-after": text = "" }, date }: Answer): number {
  return /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - date) / 1000;
}

/** Strings and bytes are sent unchanged, and other values as JSON. */
export function withBody(body: unknown, headers: Record<string, string>): Pick<Outgoing, "headers" | "body"> {
  return {
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  };
}

function readBody(incoming: http.IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const end = () => resolve(Buffer.concat(parts).toString("utf8"));
    incoming.on("data", (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size <= AT_MOST_BYTES) return;
      end();
      incoming.destroy();
    });
    incoming.on("end", end);
    incoming.on("error", reject);
  });
}

function answerOf(incoming: http.IncomingMessage, text: string, name: string): Answer {
  const headers = Object.fromEntries(
    Object.entries(incoming.headersDistinct).map(([key, values]) => [key, (values ?? []).join(", ")]),
  );
  return {
    ...{ status: incoming.statusCode ?? 0, headers, text, name, json: parseJson(text) },
    cookies: (incoming.headers["set-cookie"] ?? []).map(parseSetCookie),
    date: Date.parse(headers.date ?? "") || Date.now(),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export const bodyOf = ({ json }: Pick<Answer, "json">) => membersOf(json);

function routeOf({ method = "GET", path }: Outgoing): string {
  return `${method} ${path.split("?")[0]}`;
}

const SECRET_HEADERS = /^(cookie|authorization|x-api-key)$/i;

function shown({ method = "GET", path, headers = {}, body = "" }: Outgoing, answer: Answer): Exchange {
  return {
    request: `${method} ${path}`.slice(0, SHOWN_CHARACTERS),
    request_headers: Object.entries(headers).map(([name, value]) =>
      `${name}: ${SECRET_HEADERS.test(name) ? "…" : value}`.slice(0, SHOWN_CHARACTERS),
    ),
    sent: String(body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : body).slice(
      0,
      SHOWN_CHARACTERS,
    ),
    status: answer.status,
    headers: Object.entries(answer.headers)
      // The values of a login's cookies are secret.
      .map(([name, value]) => `${name}: ${name === "set-cookie" ? hideValues(answer.cookies) : value}`),
    received: answer.text.slice(0, SHOWN_CHARACTERS),
  };
}

function hideValues(cookies: Cookie[]): string {
  return cookies
    .map(({ name, line }) => `${name}=…${line.slice(line.indexOf(";") + 1 || line.length)}`)
    .join(", ");
}

/** Null if the response does not redirect to a valid URL. */
export function redirectOf({ status, headers }: Answer, from: URL): URL | null {
  if (status < 300 || status >= 400 || headers.location === undefined) return null;
  return URL.parse(headers.location, from);
}
