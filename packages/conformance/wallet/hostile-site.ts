import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ERROR_CODES } from "../flow/errors.ts";
import { parseJson } from "../http-client.ts";

export type Arrival = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body, as text. */
  text: string;
  json: unknown;
  /** In milliseconds as in `Date.now()`. */
  at: number;
};

/** By default, the 200 of an honest site. */
export type Responder = (response: ServerResponse, arrival: Arrival, index: number) => void;

export type HostileSite = {
  port: number;
  arrivals: Arrival[];
  /**
   * For a description of the browser (docs/protocol.md#111-before-signing). The requests in `arrivals` are answers to a
   * code.
   */
  questions: Arrival[];
  close(): void;
};

export const accept: Responder = (response) => sendJson(response, 200, { status: "authenticated" });

export const refuseWith =
  (status: number, message: string, headers: Record<string, string> = {}): Responder =>
  (response) => {
    const code = ERROR_CODES[status]?.[0] ?? "service_unavailable";
    sendJson(response, status, { error: { code, message, details: {} } }, headers);
  };

/** The last response is used for all further requests. */
export const respondInTurn =
  (...answers: readonly Responder[]): Responder =>
  (response, arrival, index) =>
    (answers[index] ?? answers.at(-1))?.(response, arrival, index);

/** Most sites do not describe the browser that requested a code. */
const notFound = refuseWith(404, "Not found.");

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

type HostileSiteOptions = { answer?: Responder; question?: Responder; address?: string; port?: number };

export async function openHostileSite({
  answer = accept,
  question = notFound,
  address = "127.0.0.1",
  port = 0,
}: HostileSiteOptions = {}): Promise<HostileSite> {
  const arrivals: Arrival[] = [];
  const questions: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString("utf8");
    const { method = "", url = "", headers } = request;
    const arrival = { method, path: url, headers, text, json: parseJson(text), at: Date.now() };
    if (method === "OPTIONS") return void response.writeHead(204, ALLOW_ALL).end();
    if (isQuestion(arrival)) {
      questions.push(arrival);
      return question(response, arrival, questions.length - 1);
    }
    arrivals.push(arrival);
    answer(response, arrival, arrivals.length - 1);
  });
  return { ...(await listen(server, port, address)), arrivals, questions };
}

export async function withHostileSite<Result>(
  opening: HostileSiteOptions,
  use: (site: HostileSite) => Promise<Result>,
): Promise<Result> {
  const site = await openHostileSite(opening);
  try {
    return await use(site);
  } finally {
    site.close();
  }
}

/** @throws {Error} if the port is not available */
export async function listen(server: Server, port: number, address: string) {
  server.listen(port, address);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isQuestion(arrival: Pick<Arrival, "method" | "path">): boolean {
  const query = queryOf(arrival);
  return arrival.method === "GET" && query.has("s") && query.has("c");
}

/** Even if the path is not a valid URL. */
export function queryOf({ path }: Pick<Arrival, "path">): URLSearchParams {
  return new URLSearchParams(path.split(/\?(.*)/s)[1]);
}

const ALLOW_ALL = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers": "Content-Type",
};

/** Wallets fetch the delegation file of a loopback name there (docs/protocol.md#91-the-file). */
const PORT = 80;

export type Domain = { asked: { path: string; method: string; headers: IncomingHttpHeaders }[] };

export type FileResponder = (response: ServerResponse, path: string) => void;

export type Domains = {
  port: number;
  publish(name: string, answer: FileResponder): Domain;
  close(): void;
};

/**
 * On this machine, each with its own delegation file. Use each name only once, because wallets cache these files.
 * @throws {Error} if the port is not available
 */
export async function openDomains(port = PORT): Promise<Domains> {
  const published = new Map<string, Domain & { answer: FileResponder }>();
  const server = createServer(({ headers, url = "", method = "" }, response) => {
    const found = published.get((headers.host ?? "").replace(/:\d+$/, ""));
    if (!found) return void response.writeHead(404).end();
    found.asked.push({ path: url, method, headers });
    found.answer(response, url);
  });
  return {
    ...(await listen(server, port, "127.0.0.1")),
    publish(name, answer) {
      const domain = { asked: [], answer };
      published.set(name, domain);
      return domain;
    },
  };
}

export function newLocalhostName(what: string): string {
  return `${what}-${randomBytes(5).toString("hex")}.localhost`;
}
