import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Planted, SiteError } from "./reference.fixture.ts";
import { Answers, type Headers } from "./reference-answers.fixture.ts";
import { openHosted } from "./reference-hosted.fixture.ts";
import { readBody, readJson, readResponse, readTarget } from "./reference-requests.fixture.ts";
import { listenBehindWire } from "./wire.fixture.ts";

/** A correct hosted API in memory, with a clock of its own, into which a test plants one fault. */
type ReferenceApi = {
  origin: URL;
  key: string;
  otherKey: string;
  /** The faults that the API was asked about: it behaves as if it had none of the others. */
  asked: Set<string>;
  advance(seconds: number): void;
  close(): void;
};

const BASE = "/sandbox/v1";
const METHODS: Record<string, string[]> = {
  "/sessions": ["GET", "POST"],
  "/sessions/*": ["GET"],
  "/sessions/*/refresh": ["POST"],
  "/verify": ["POST"],
  "/domains": ["GET", "POST"],
  "/domains/*": ["GET", "PATCH", "DELETE"],
  "/domains/*/verify": ["POST"],
  "/domains/*/rotate-secret": ["POST"],
  "/domains/*/test-event": ["POST"],
  "/deliveries": ["GET"],
  "/deliveries/*/resend": ["POST"],
};

type Limits = { sessions?: number; failures?: number };

export async function startReferenceApi(
  faults: readonly string[] = [],
  limits: Limits = {},
): Promise<ReferenceApi> {
  const planted = new Planted(faults);
  const { has, asked } = planted;
  let origin = new URL("http://localhost");
  const core = openHosted(() => origin.origin, has);
  const answers = new Answers(() => core.clock.seconds);
  const newKey = () => `svc_test_${randomBytes(32).toString("base64url").replace(/[-_]/g, "a")}`;
  const keys = new Map([
    [newKey(), "one"],
    [newKey(), "two"],
  ]);
  const [key = "", otherKey = ""] = keys.keys();
  const counts = new Map<string, number>();

  function count(name: string, most: number): Record<string, string> {
    const counted = (counts.get(name) ?? 0) + 1;
    counts.set(name, counted);
    if (counted > most && !has("api-unlimited")) throw new SiteError(429, "rate_limited");
    if (has("api-no-limit-headers")) return {};
    const left = String(Math.max(0, most - counted));
    return { "RateLimit-Limit": String(most), "RateLimit-Remaining": left, "RateLimit-Reset": "60" };
  }

  function authenticate({ headers, url = "" }: IncomingMessage, bytes: Buffer): string {
    const { authorization = "" } = headers;
    const [, token = ""] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    const inQuery = new URLSearchParams(url.split("?")[1]).get("api_key");
    const given = token || (inQuery && has("key-in-query") ? inQuery : "");
    const found = keys.get(given) ?? (given && has("key-prefix") ? keysLike(given) : undefined);
    if (found) return found;
    if (given.startsWith("svc_live_") && has("any-kind")) {
      const same = keys.get(given.replace("svc_live_", "svc_test_"));
      if (same) return same;
    }
    if (token !== "") count("failures", limits.failures ?? 1e6);
    if (bytes.length > 0 && has("body-first")) readJson(bytes, has);
    throw new SiteError(401, "invalid_api_key");
  }

  const keysLike = (given: string) =>
    [...keys].find(([each]) => given.length > 20 && each.startsWith(given.slice(0, 24)))?.[1];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = readTarget(request, has);
    const webhook = /^\/webhook\/sessions\/([^/]+)$/.exec(path)?.[1];
    if (webhook !== undefined) return answerWallet(request, response, webhook);
    const send = (status: number, body: unknown, headers: Headers = {}) =>
      answers.send(response, status, body, headers);
    if (path === `${BASE}/openapi.json`) return send(200, openapi());
    if (!path.startsWith(BASE) && !path.startsWith("/v1")) throw new SiteError(404, "not_found");
    const operation = path.replace(/^(\/sandbox)?\/v1/, "");
    const [, kind = "", id = "", verb = "", ...rest] = operation.split("/").map(decodeURIComponent);
    const pattern = `/${kind}${id ? "/*" : ""}${verb ? `/${verb}` : ""}`;
    const allowed = rest.length > 0 ? undefined : METHODS[pattern];
    const { method = "" } = request;
    const bytes = ["POST", "PATCH"].includes(method) ? await readBody(request, has) : Buffer.alloc(0);
    const isOpen = operation === "/deliveries" && has("open-deliveries");
    const tenant = isOpen ? "one" : authenticate(request, bytes);
    if (!path.startsWith(BASE) && !has("any-base")) throw new SiteError(401, "invalid_api_key");
    if (!allowed) throw new SiteError(404, "not_found");
    if (!allowed.includes(method)) throw new SiteError(405, "method_not_allowed");
    const isCreation = operation === "/sessions" && method === "POST";
    const limited = count(
      isCreation ? `create ${tenant}` : `others ${tenant}`,
      isCreation ? (limits.sessions ?? 1e6) : 1e6,
    );
    for (const [name, value] of Object.entries(limited)) response.setHeader(name, value);
    if (has("api-cors")) response.setHeader("Access-Control-Allow-Origin", "*");
    const body = ["POST", "PATCH"].includes(method) ? readOptional(request, pattern, bytes) : {};
    const call = {
      tenant,
      id,
      query,
      body,
      idempotencyKey: request.headers["idempotency-key"] as string | undefined,
    };
    const [status, result] = await core.call(`${method} ${pattern}`, call);
    send(status, result);
  }

  /** Operations without a body ignore it. */
  function readOptional(request: IncomingMessage, pattern: string, bytes: Buffer): Record<string, unknown> {
    if (/refresh|\/domains\/\*\/|resend/.test(pattern)) return {};
    const { headers } = request;
    if (!/^application\/json\b/.test(headers["content-type"] ?? "") && !has("any-content-type"))
      throw new SiteError(415, "unsupported_media_type");
    if (headers["content-encoding"]) throw new SiteError(415, "unsupported_media_type");
    return readJson(bytes, has);
  }

  async function answerWallet(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    if (request.method === "OPTIONS") {
      const allow = {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "Content-Type",
      };
      return answers.send(response, 200, {}, allow);
    }
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? "") && !has("any-content-type"))
      throw new SiteError(415, "unsupported_media_type");
    await core.sessions.respond(decodeURIComponent(id), readResponse(await readBody(request, has), has));
    answers.send(response, 200, { status: "authenticated" });
  }

  function openapi() {
    const paths = Object.entries(METHODS).map(([path, methods]) => [
      path.replace("*", "{id}"),
      Object.fromEntries(
        methods
          .filter((each) => each !== "PATCH" || !has("openapi-behind"))
          .map((each) => [each.toLowerCase(), {}]),
      ),
    ]);
    return { openapi: "3.1.0", paths: Object.fromEntries(paths) };
  }

  const server = createServer({ maxHeaderSize: 16 * 1024 }, (request, response) => {
    answer(request, response).catch((error) => {
      const isUnknown = error instanceof SiteError && error.status === 401;
      if (isUnknown && !has("no-challenge-header")) response.setHeader("WWW-Authenticate", "Bearer");
      answers.fail(response, error);
    });
  });
  const listening = await listenBehindWire(server, planted);
  origin = listening.origin;
  return {
    ...{ origin, key, otherKey, asked },
    advance: (seconds) => core.clock.advance(seconds),
    close() {
      core.events.close();
      listening.close();
    },
  };
}
