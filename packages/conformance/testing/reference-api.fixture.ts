import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Planted, SiteError } from "./reference.fixture.ts";
import { Answers, type Headers, type Reference } from "./reference-answers.fixture.ts";
import { openHosted } from "./reference-hosted.fixture.ts";
import { readBody, readJson, readResponse, readTarget } from "./reference-requests.fixture.ts";

const BASE = "/sandbox/v1";
type Limits = { sessions?: number; failures?: number };

/** Starts a correct hosted API in memory, into which a test plants one fault. */
export async function startReferenceApi(
  faults: readonly string[] = [],
  limits: Limits = {},
): Promise<Reference & { key: string; otherKey: string }> {
  const planted = new Planted(faults);
  const { has } = planted;
  const core = openHosted(planted);
  const operations = Object.keys(core.operations).map((name) => name.split(" "));
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
    const { method = "" } = request;
    const bytes = ["POST", "PATCH"].includes(method) ? await readBody(request, has) : Buffer.alloc(0);
    const isOpen = operation === "/deliveries" && has("open-deliveries");
    const tenant = isOpen ? "one" : authenticate(response, bytes);
    if (!path.startsWith(BASE) && !has("any-base")) throw unknownKey(response);
    const isKnown = rest.length === 0 && operations.some(([, known]) => known === pattern);
    if (!isKnown) throw new SiteError(404, "not_found");
    const carryOut = core.operations[`${method} ${pattern}`];
    if (!carryOut) throw new SiteError(405, "method_not_allowed");
    const isCreation = operation === "/sessions" && method === "POST";
    const most = isCreation ? (limits.sessions ?? 1e6) : 1e6;
    answers.count(response, `${isCreation ? "create" : "others"} ${tenant}`, most);
    if (has("api-cors")) response.setHeader("Access-Control-Allow-Origin", "*");
    const body = ["POST", "PATCH"].includes(method) ? readOptional(request, pattern, bytes) : {};
    const idempotencyKey = request.headers["idempotency-key"] as string | undefined;
    const [status, result] = await carryOut({ tenant, id, query, body, idempotencyKey });
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
    const paths: Record<string, Record<string, object>> = {};
    for (const [method = "", path = ""] of operations) {
      if (method === "PATCH" && has("openapi-behind")) continue;
      const name = path.replace("*", "{id}");
      paths[name] = { ...paths[name], [method.toLowerCase()]: {} };
    }
    return { openapi: "3.1.0", paths };
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
