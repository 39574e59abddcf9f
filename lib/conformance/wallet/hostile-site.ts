import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A POST, or anything else, that reached a site of the kit. */
export type Arrival = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  /** The bytes as they came, as text. */
  text: string;
  json: unknown;
  /** Milliseconds of `Date.now()`. */
  at: number;
};

/** Answers what arrives; the default is the 200 of an honest site. */
export type Answering = (response: ServerResponse, arrival: Arrival, index: number) => void;

/** A site on this machine, made for one code of one check. */
export type HostileSite = {
  port: number;
  arrivals: Arrival[];
  /** What asked who is asking (docs/protocol.md#111-before-signing): no answer to a code. */
  questions: Arrival[];
  /** Resolves at the next arrival. */
  next(): Promise<Arrival>;
  close(): void;
};

const honest: Answering = (response) => answerJson(response, 200, { status: "authenticated" });
/** Most sites do not say who is asking. */
const untold: Answering = (response) => answerJson(response, 404, errorBody(404, "Not found."));

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

const CODES: Record<number, string> = {
  400: "invalid_request",
  404: "user_not_found",
  406: "invalid_signature",
  408: "challenge_expired",
};

/** The body of a refusal (docs/protocol.md#21-errors). */
export function errorBody(status: number, message: string) {
  return { error: { code: CODES[status] ?? "service_unavailable", message, details: {} } };
}

/** Listens on an address of this machine. */
export async function openHostileSite(
  answer: Answering = honest,
  address = "127.0.0.1",
  port = 0,
  question = untold,
): Promise<HostileSite> {
  const arrivals: Arrival[] = [];
  const questions: Arrival[] = [];
  const waiting = new Set<(arrival: Arrival) => void>();
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
    for (const resolve of waiting) resolve(arrival);
    waiting.clear();
    answer(response, arrival, arrivals.length - 1);
  });
  server.listen(port, address);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    questions,
    next: () => new Promise((resolve) => waiting.add(resolve)),
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

/** Whatever a wallet asks for, a path or not. */
export function queryOf({ path }: Pick<Arrival, "path">): URLSearchParams {
  return new URLSearchParams(path.split(/\?(.*)/s)[1]);
}

const ALLOW_ALL = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers": "Content-Type",
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
