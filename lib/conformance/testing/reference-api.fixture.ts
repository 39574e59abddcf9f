import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Planted, SiteError } from "./reference.fixture.ts";
import { Answers, type Headers, type Reference } from "./reference-answers.fixture.ts";
import { openHosted } from "./reference-hosted.fixture.ts";
import { readBody, readJson, readResponse, readTarget } from "./reference-requests.fixture.ts";

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

/** Starts a correct hosted API in memory, with a clock of its own, into which a test plants one fault. */
export async function startReferenceApi(
  faults: readonly string[] = [],
  limits: Limits = {},
): Promise<Reference & { key: string; otherKey: string }> {
  const planted = new Planted(faults);
  const { has } = planted;
  const core = openHosted(planted);
  const answers = new Answers(planted, core.clock);
  const newKey = () => `svc_test_${randomBytes(32).toString("base64url").replace(/[-_]/g, "a")}`;
  const keys = new Map([
    [newKey(), "one"],
    [newKey(), "two"],
  ]);
  const [key = "", otherKey = ""] = keys.keys();

  /** A refusal, which says how a key is to be sent. */
  function unknownKey(response: ServerResponse): SiteError {
    if (!has("no-challenge-header")) response.setHeader("WWW-Authenticate", "Bearer");
    return new SiteError(401, "invalid_api_key");
  }

  function authenticate(response: ServerResponse, bytes: Buffer): string {
    const { headers, url = "" } = response.req;
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
    if (token !== "") answers.count(response, "failures", limits.failures ?? 1e6);
    if (bytes.length > 0 && has("body-first")) readJson(bytes, has);
    throw unknownKey(response);
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
    const tenant = isOpen ? "one" : authenticate(response, bytes);
    if (!path.startsWith(BASE) && !has("any-base")) throw unknownKey(response);
    if (!allowed) throw new SiteError(404, "not_found");
    if (!allowed.includes(method)) throw new SiteError(405, "method_not_allowed");
    const isCreation = operation === "/sessions" && method === "POST";
    const most = isCreation ? (limits.sessions ?? 1e6) : 1e6;
    answers.count(response, `${isCreation ? "create" : "others"} ${tenant}`, most);
    if (has("api-cors")) response.setHeader("Access-Control-Allow-Origin", "*");
    const body = ["POST", "PATCH"].includes(method) ? readOptional(request, pattern, bytes) : {};
    const idempotencyKey = request.headers["idempotency-key"] as string | undefined;
    const called = await core.call(`${method} ${pattern}`, { tenant, id, query, body, idempotencyKey });
    const [status, result] = called;
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
    if (request.method === "OPTIONS") return answers.allowPost(response);
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

  const listening = await answers.listen(answer);
  return {
    ...{ ...listening, key, otherKey },
    close() {
      core.events.close();
      listening.close();
    },
  };
}
