import { fail, type Rules } from "../check.ts";
import { changeLastCharacter, expectEqual, expectStatus } from "../expect-status.ts";
import { errorOf } from "../flow/errors.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { HostedId } from "../texts/hosted.ts";
import { API_BASE_PATHS, type Api, expectCode } from "./api.ts";

/**
 * Section 5.1: who can call the API, and which data each caller can see. The checks with another tenant's data need
 * `--other-key`.
 */

export const OPERATIONS = [
  ["POST", "/sessions"],
  ["GET", "/sessions"],
  ["GET", "/sessions/*"],
  ["POST", "/sessions/*/refresh"],
  ["POST", "/verify"],
  ["GET", "/domains"],
  ["POST", "/domains"],
  ["GET", "/domains/*"],
  ["PATCH", "/domains/*"],
  ["DELETE", "/domains/*"],
  ["POST", "/domains/*/verify"],
  ["POST", "/domains/*/rotate-secret"],
  ["POST", "/domains/*/test-event"],
  ["GET", "/deliveries"],
  ["POST", "/deliveries/*/resend"],
] as const;

function expectNoKey(answer: Answer, what: string): void {
  expectStatus(answer, 401, what);
  expectEqual(errorOf(answer).code, "invalid_api_key", `${what}: the code`);
}

export const AUTHENTICATION_CHECKS = {
  async "5.1-no-key"(api) {
    for (const [method, pattern] of OPERATIONS) {
      const path = pattern.replace("*", "any");
      const body = method === "POST" ? "{}" : undefined;
      const answer = await api.http.send({
        ...{ method, path: api.target.base + path, body },
        headers: body ? { "Content-Type": "application/json" } : {},
      });
      expectNoKey(answer, `${method} ${path} without a key`);
      if (!/^Bearer\b/i.test(answer.headers["www-authenticate"] ?? ""))
        fail(`${method} ${path} is answered 401 without WWW-Authenticate: Bearer.`);
    }
  },
  async "5.1-unknown-key"(api) {
    const { key } = api.target;
    const middle = Math.floor(key.length / 2);
    const changed = key[middle] === "x" ? "y" : "x";
    for (const [what, unknown] of [
      ["another last character", changeLastCharacter(key)],
      ["another character within", key.slice(0, middle) + changed + key.slice(middle + 1)],
      ["only its first 24 characters", key.slice(0, 24)],
      ["an additional character", `${key}A`],
      ["only its prefix", key.slice(0, 9)],
    ] as const)
      expectNoKey(await api.call("GET", "/domains", undefined, { key: unknown }), `a key with ${what}`);
  },
  async "5.1-bearer-only"(api) {
    const { base, key } = api.target;
    const path = `${base}/domains`;
    const attempts: [string, { path: string; headers?: Record<string, string> }][] = [
      ["in the query", { path: `${path}?api_key=${key}` }],
      ["without a scheme", { path, headers: { Authorization: key } }],
      ["with the scheme Basic", { path, headers: { Authorization: `Basic ${btoa(`${key}:`)}` } }],
      ["in X-Api-Key", { path, headers: { "X-Api-Key": key } }],
      ["in a cookie", { path, headers: { Cookie: `api_key=${key}` } }],
    ];
    for (const [what, request] of attempts) expectNoKey(await api.http.send(request), `the key ${what}`);
  },
  async "5.1-other-base"(api) {
    const { base, key } = api.target;
    const headers = { Authorization: `Bearer ${key}` };
    const bases = Object.values(API_BASE_PATHS);
    const others = bases.includes(base) ? bases.filter((otherBase) => otherBase !== base) : [];
    for (const other of others)
      expectNoKey(await api.http.send({ path: `${other}/domains`, headers }), `the key at ${other}`);
    const otherModeKey = key.startsWith("svc_test_") ? "svc_live_" : "svc_test_";
    const renamed = await api.call("GET", "/domains", undefined, { key: otherModeKey + key.slice(9) });
    expectNoKey(renamed, `the key as ${otherModeKey}…`);
  },
  async "5.1-before-body"(api) {
    const answer = await api.call("POST", "/sessions", "{", { key: `${api.target.key.slice(0, 9)}none` });
    expectNoKey(answer, "a malformed body with an unknown key");
  },
  async "5.1-foreign-session"(api) {
    const key = api.otherKey();
    const { id } = await api.session();
    const answers = [await api.read(id, { key }), await api.refresh(id, { key })];
    for (const answer of answers)
      expectCode(answer, 404, "session_not_found", "a request for another tenant's session");
  },
  async "5.1-foreign-domain"(api) {
    const key = api.otherKey();
    const { id, webhookUrl } = await api.registerDomain();
    const changed = { webhook_url: "https://elsewhere.example/events" };
    for (const [method, pattern] of OPERATIONS) {
      if (!pattern.startsWith("/domains/")) continue;
      const body = method === "PATCH" ? changed : undefined;
      const answer = await api.call(method, pattern.replace("*", id), body, { key });
      expectCode(answer, 404, "domain_not_found", "a request for another tenant's domain");
    }
    const { webhook_url: now } = bodyOf(await api.call("GET", `/domains/${id}`));
    expectEqual(now, webhookUrl, "After the refusals the domain's webhook URL");
  },
  async "5.1-foreign-name"(api) {
    const answer = await api.create({}, { key: api.otherKey() });
    expectCode(answer, 422, "domain_not_registered", "a session for another tenant's domain");
  },
  async "5.1-foreign-lists"(api) {
    const key = api.otherKey();
    const domain = await api.domain();
    const { id } = await api.createAuthenticatedSession();
    for (const path of [
      ...["/sessions?limit=100", "/domains?limit=100", "/deliveries?limit=100"],
      ...[`/deliveries?domain_id=${domain.id}`, `/deliveries?session_id=${id}`],
    ]) {
      const answer = await api.call("GET", path, undefined, { key });
      if ([id, domain.id, domain.name].some((text) => answer.text.includes(text)))
        fail(`GET ${path} lists another tenant's data.`);
    }
  },
  async "5.1-own-idempotency"(api) {
    const other = api.otherKey();
    const { name } = await api.domain();
    const headers = { "Idempotency-Key": `own-${name}` };
    const { id } = await api.session({}, { headers });
    const answer = await api.create({}, { key: other, headers });
    if (answer.text.includes(id) || answer.status === 409)
      fail(`Another tenant with the same Idempotency-Key is answered ${answer.status}.`);
  },
} satisfies Rules<Api, HostedId>;
