import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseDerSignature } from "../../login/crypto/signature.ts";
import { type HasFault, invalidRequest, PlantedFaults, SiteError, TestClock } from "./reference.fixture.ts";
import { type Headers, type Reference, ReferenceAnswers } from "./reference-answers.fixture.ts";
import { openDomains } from "./reference-domains.fixture.ts";
import { type ApiEvent, type Body, type Call, openEvents } from "./reference-events.fixture.ts";
import { isSigned, readKey } from "./reference-proof.fixture.ts";
import { expectJson, readBody, readJson, readResponse, readTarget } from "./reference-requests.fixture.ts";
import { openSessions } from "./reference-sessions.fixture.ts";

const BASE = "/sandbox/v1";
type Limits = { sessions?: number; failures?: number };

export async function startReferenceApi(
  faults: readonly string[] = [],
  limits: Limits = {},
): Promise<Reference & { key: string; otherKey: string }> {
  const planted = new PlantedFaults(faults);
  const { has } = planted;
  const core = openHosted(planted);
  const operations = Object.keys(core.operations).map((name) => name.split(" "));
  const answers = new ReferenceAnswers(planted, core.clock);
  const newKey = () => `svc_test_${randomBytes(32).toString("base64url").replace(/[-_]/g, "a")}`;
  const keys = new Map([
    [newKey(), "one"],
    [newKey(), "two"],
  ]);
  const [key = "", otherKey = ""] = keys.keys();

  /** The response says how to send a key. */
  function unknownKey(response: ServerResponse): SiteError {
    if (!has("no-challenge-header")) response.setHeader("WWW-Authenticate", "Bearer");
    return new SiteError(401, "invalid_api_key");
  }

  function authenticate(response: ServerResponse, bytes: Buffer): string {
    const { headers, url = "" } = response.req;
    const { authorization = "" } = headers;
    const [, token = ""] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    const inQuery = new URLSearchParams(url.split("?")[1]).get("api_key");
    const key = token || (inQuery && has("key-in-query") ? inQuery : "");
    const found = keys.get(key) ?? (key && has("key-prefix") ? keysLike(key) : undefined);
    if (found) return found;
    if (key.startsWith("svc_live_") && has("any-kind")) {
      const same = keys.get(key.replace("svc_live_", "svc_test_"));
      if (same) return same;
    }
    if (token !== "") answers.count(response, "failures", limits.failures ?? 1e6);
    if (bytes.length > 0 && has("body-first")) readJson(bytes, has);
    throw unknownKey(response);
  }

  const keysLike = (key: string) =>
    [...keys].find(([each]) => key.length > 20 && each.startsWith(key.slice(0, 24)))?.[1];

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

  /** Operations that need no body ignore it. */
  function readOptional(request: IncomingMessage, pattern: string, bytes: Buffer): Record<string, unknown> {
    if (/refresh|\/domains\/\*\/|resend/.test(pattern)) return {};
    expectJson(request, has);
    return readJson(bytes, has);
  }

  async function answerWallet(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    if (request.method === "OPTIONS") return answers.allowPost(response);
    await core.sessions.respond(decodeURIComponent(id), await readResponse(request, has));
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

type Done = [status: number, body?: Body];

/** In memory. Planted faults change what the operations do. */
function openHosted(planted: PlantedFaults) {
  const { has } = planted;
  const clock = new TestClock();
  const events = openEvents(has);
  const domains = openDomains(clock, has);
  const sessions = openSessions({ planted, clock, domains, events });
  const once = idempotently(clock, has);

  /** By method and path. An operation throws its refusals. */
  const operations: Record<string, (call: Call) => Done | Promise<Done>> = {
    "POST /sessions": (call) => once(call, () => sessions.create(call)),
    "GET /sessions": ({ tenant, query }) => {
      const own = sessions.all.filter((item) => item.tenant === tenant || has("lists-everything"));
      return [200, pageOf("sessions", query, own, ({ id }) => ({ id }), has)];
    },
    "GET /sessions/*": (call) => [200, sessions.read(sessions.of(call))],
    "POST /sessions/*/refresh": (call) => [200, sessions.refresh(sessions.of(call))],
    "POST /verify": ({ body }) => [200, verifyMessage(body, has, (message) => sessions.spend(message))],
    "GET /domains": ({ tenant, query }) => {
      const own = domains.all.filter((item) => item.tenant === tenant);
      return [200, pageOf("domains", query, own, (item) => domains.show(item), has)];
    },
    "POST /domains": ({ tenant, body }) => [201, domains.register(tenant, body)],
    "GET /domains/*": (call) => [200, domains.show(domains.of(call))],
    "PATCH /domains/*": (call) => [200, domains.change(domains.of(call), call.body)],
    "DELETE /domains/*": (call) => {
      const domain = domains.of(call);
      domains.all.splice(domains.all.indexOf(domain), 1);
      if (!has("sessions-outlive")) sessions.endOf(domain);
      return [204];
    },
    "POST /domains/*/verify": (call) => domains.prove(domains.of(call)),
    "POST /domains/*/rotate-secret": (call) => [200, domains.rotate(domains.of(call))],
    "POST /domains/*/test-event": (call) => {
      const domain = domains.of(call);
      const event = has("test-as-login") ? "login" : "test";
      return [202, { id: events.send(domain, domain.url, { event, session_id: "test", data: {} }).id }];
    },
    "GET /deliveries": ({ tenant, query }) => [200, deliveriesOf(tenant, query, events.all, has)],
    "POST /deliveries/*/resend": ({ tenant, id }) => {
      const event = events.all.find((item) => item.id === id && item.domain.tenant === tenant);
      if (!event) throw new SiteError(404, "not_found");
      void events.attempt(event, has("event-new-id") ? 1 : 0);
      return [202, { id }];
    },
  };

  return { clock, events, sessions, operations };
}

/** As the hosted API does, unless a planted fault changes that. */
function idempotently(clock: TestClock, has: HasFault) {
  const answersByKey = new Map<string, { body: string; answer: Promise<[number, Body]> }>();
  return async (call: Call, create: () => Body): Promise<[number, Body]> => {
    const { idempotencyKey: key, tenant, body } = call;
    if (key === undefined || has("idempotency-ignored")) return [201, create()];
    const isKey = /^[!-~ ]{1,255}$/.test(key);
    if (!isKey && !has("any-idempotency-key")) throw invalidRequest();
    const name = has("idempotency-shared") ? key : `${tenant} ${key}`;
    if (has("idempotency-races")) await new Promise((resolve) => setTimeout(resolve, 5));
    const earlier = answersByKey.get(name);
    const text = JSON.stringify(body);
    if (earlier && earlier.body !== text && !has("idempotency-any-body"))
      throw new SiteError(409, "idempotency_conflict");
    if (earlier && !has("idempotency-races")) {
      const [status, answer] = await earlier.answer;
      return [status, has("idempotency-anew") ? { ...answer, created_at: clock.iso(1) } : answer];
    }
    const created: [number, Body] = [201, create()];
    if (has("idempotency-races")) await new Promise((resolve) => setTimeout(resolve, 5));
    answersByKey.set(name, { body: text, answer: Promise.resolve(created) });
    return created;
  };
}

/** @param show returns how the list shows an item */
function pageOf<Item extends { id: string }>(
  name: string,
  query: URLSearchParams,
  items: readonly Item[],
  show: (item: Item) => object,
  has: HasFault,
): Body {
  const text = query.get("limit") ?? "20";
  const limit = Number(text);
  const isLimit = /^\d+$/.test(text) && limit >= 1 && limit <= 100;
  if (!isLimit && !has("any-limit")) throw invalidRequest();
  const cursor = query.get("cursor");
  const at = cursor === null ? -1 : items.findIndex(({ id }) => id === cursor);
  if (cursor !== null && at < 0 && !has("any-limit")) throw invalidRequest();
  const page = items.slice(at + 1, at + 1 + (limit || 20));
  const last = items.length > at + 1 + page.length ? page.at(-1)?.id : undefined;
  return { [name]: page.map(show), next_cursor: has("no-cursor") ? null : (last ?? null) };
}

function deliveriesOf(tenant: string, query: URLSearchParams, all: readonly ApiEvent[], has: HasFault): Body {
  const [domain, session, status] = ["domain_id", "session_id", "status"].map((name) => query.get(name));
  if (status && !["pending", "delivered", "failed"].includes(status) && !has("any-status"))
    throw invalidRequest();
  const isShown = (event: ApiEvent) =>
    (event.domain.tenant === tenant || ((session || domain) && has("filter-crosses"))) &&
    (!domain || event.domain.id === domain) &&
    (!session || event.sessionId === session || has("filter-ignored"));
  const deliveries = all.filter(isShown).map((event) => ({
    ...{ id: event.id, session_id: event.sessionId, domain_id: event.domain.id, status: event.status },
    ...{ next_attempt_at: event.nextAt, attempts: event.attempts },
  }));
  return { deliveries, next_cursor: null };
}

/** @param spend applies a fault to the challenge that the message contains */
function verifyMessage(
  { public_key, signature, message }: Body,
  has: HasFault,
  spend: (message: string) => void,
): Body {
  for (const value of [public_key, signature, message]) {
    if (typeof value !== "string" && !(value !== undefined && has("verify-converts"))) throw invalidRequest();
  }
  const key = readKey(String(public_key), has);
  const isReadable = key !== null && parseDerSignature(String(signature)) !== null;
  if (!isReadable && !has("verify-unreadable")) {
    const details = has("verify-no-details")
      ? {}
      : { public_key: String(public_key), expected_format: "DER" };
    throw new SiteError(400, "invalid_signature", undefined, details);
  }
  const valid = isReadable && isSigned(key, String(signature), String(message), has);
  const hash = createHash("sha256")
    .update(String(message))
    .digest(has("verify-hash-base64") ? "base64" : "hex");
  if (!valid && isReadable && has("verify-406")) throw new SiteError(406, "invalid_signature");
  if (valid && has("verify-spends")) spend(String(message));
  return {
    valid: valid || has("verify-always"),
    public_key: has("verify-key-as-sent") ? public_key : key,
    message_hash: `sha256:${hash}`,
  };
}
