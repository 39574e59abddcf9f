import { fail, type Rules } from "../check.ts";
import { expectEqual, expectStatus } from "../expect-status.ts";
import { errorOf } from "../flow/errors.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import { type Api, BASES, expectCode } from "./api.ts";

/** Section 5.1: who may call the API, and what each caller sees. */

/** Every operation. */
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

/** @throws {Failure} unless the key is refused */
function expectNoKey(answer: Answer, what: string): void {
  expectStatus(answer, 401, what);
  expectEqual(errorOf(answer).code, "invalid_api_key", `${what}: the code`);
}

export const AUTHENTICATION_CHECKS: Rules<Api> = {
  "5.1-no-key": {
    proves: "Every operation without a key is 401 `invalid_api_key`, with `WWW-Authenticate: Bearer`.",
    cause: "The key is asked for in each handler, and one of them does not.",
    async run(api) {
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
  },
  "5.1-unknown-key": {
    proves: "A key that nobody has is refused, however well it is formed.",
    cause: "The key's form is judged, or a part of it is looked up.",
    async run(api) {
      const { key } = api.target;
      const last = key.endsWith("A") ? "B" : "A";
      const middle = Math.floor(key.length / 2);
      const changed = key[middle] === "x" ? "y" : "x";
      for (const [what, unknown] of [
        ["another last character", key.slice(0, -1) + last],
        ["another character within", key.slice(0, middle) + changed + key.slice(middle + 1)],
        ["only its beginning", key.slice(0, 24)],
        ["a character more", `${key}A`],
        ["nothing behind the prefix", key.slice(0, 9)],
      ] as const) {
        expectNoKey(await api.call("GET", "/domains", undefined, { key: unknown }), `a key with ${what}`);
      }
    },
  },
  "5.1-bearer-only": {
    proves: "The key counts as a bearer token alone: not in the query, not under another scheme or header.",
    cause: "Several places are looked at, and one of them ends up in logs.",
    async run(api) {
      const { base, key } = api.target;
      const path = `${base}/domains`;
      const ways: [string, { path: string; headers?: Record<string, string> }][] = [
        ["in the query", { path: `${path}?api_key=${key}` }],
        ["without a scheme", { path, headers: { Authorization: key } }],
        ["under Basic", { path, headers: { Authorization: `Basic ${btoa(`${key}:`)}` } }],
        ["in X-Api-Key", { path, headers: { "X-Api-Key": key } }],
        ["in a cookie", { path, headers: { Cookie: `api_key=${key}` } }],
      ];
      for (const [what, request] of ways) expectNoKey(await api.http.send(request), `the key ${what}`);
    },
  },
  "5.1-other-base": {
    proves: "A key of the other base is refused: `/v1` takes live keys, `/sandbox/v1` test keys.",
    cause: "The key alone decides which data is seen, so a test key reaches live users.",
    async run(api) {
      const { base, key } = api.target;
      const headers = { Authorization: `Bearer ${key}` };
      const bases = Object.values(BASES);
      const others = bases.includes(base) ? bases.filter((each) => each !== base) : [];
      for (const other of others)
        expectNoKey(await api.http.send({ path: `${other}/domains`, headers }), `the key at ${other}`);
      const swapped = key.startsWith("svc_test_") ? "svc_live_" : "svc_test_";
      const renamed = await api.call("GET", "/domains", undefined, { key: swapped + key.slice(9) });
      expectNoKey(renamed, `the key as ${swapped}…`);
    },
  },
  "5.1-before-body": {
    proves: "The key is judged before the body: 401, though the body is malformed.",
    cause: "The body is parsed first, so strangers make the server work and learn its rules.",
    async run(api) {
      const answer = await api.call("POST", "/sessions", "{", { key: `${api.target.key.slice(0, 9)}none` });
      expectNoKey(answer, "a malformed body with an unknown key");
    },
  },
};

/** What belongs to another tenant does not exist for a caller. These checks need `--other-key`. */
export const TENANT_CHECKS: Rules<Api> = {
  "5.1-foreign-session": {
    proves: "Another tenant's session is 404 `session_not_found`, as if it did not exist.",
    cause: "The session is looked up by its identifier alone.",
    async run(api) {
      const key = api.otherKey();
      const { id } = await api.session();
      const answers = [await api.read(id, { key }), await api.refresh(id, { key })];
      for (const answer of answers) expectCode(answer, 404, "session_not_found", "another tenant's session");
    },
  },
  "5.1-foreign-domain": {
    proves:
      "Another tenant's domain is 404 `domain_not_found` for every operation, and nothing happens to it.",
    cause: "One of the operations looks the domain up by its identifier alone.",
    async run(api) {
      const key = api.otherKey();
      const { id, webhookUrl } = await api.registerDomain();
      const changed = { webhook_url: "https://elsewhere.example/events" };
      for (const [method, pattern] of OPERATIONS) {
        if (!pattern.startsWith("/domains/")) continue;
        const body = method === "PATCH" ? changed : undefined;
        const answer = await api.call(method, pattern.replace("*", id), body, { key });
        expectCode(answer, 404, "domain_not_found", "another tenant's domain");
      }
      const { webhook_url: now } = bodyOf(await api.call("GET", `/domains/${id}`));
      expectEqual(now, webhookUrl, "After the refusals its webhook URL");
    },
  },
  "5.1-foreign-name": {
    proves: "A session for a domain that another tenant has registered is 422 `domain_not_registered`.",
    cause: "The domain is looked up by its name, and whose it is is not asked.",
    async run(api) {
      const answer = await api.create({}, { key: api.otherKey() });
      expectCode(answer, 422, "domain_not_registered", "a session for another tenant's domain");
    },
  },
  "5.1-foreign-lists": {
    proves: "No list shows anything of another tenant, whatever it is asked to filter by.",
    cause: "A filter replaces the condition that keeps tenants apart.",
    async run(api) {
      const key = api.otherKey();
      const domain = await api.domain();
      const { id } = await api.authenticated();
      for (const path of [
        ...["/sessions?limit=100", "/domains?limit=100", "/deliveries?limit=100"],
        ...[`/deliveries?domain_id=${domain.id}`, `/deliveries?session_id=${id}`],
      ]) {
        const answer = await api.call("GET", path, undefined, { key });
        if ([id, domain.id, domain.name].some((text) => answer.text.includes(text)))
          fail(`GET ${path} shows what is another tenant's.`);
      }
    },
  },
  "5.1-own-idempotency": {
    proves: "An `Idempotency-Key` is the tenant's own: another tenant's answer is never given out.",
    cause: "Answers are kept by the key alone.",
    async run(api) {
      const other = api.otherKey();
      const { name } = await api.domain();
      const headers = { "Idempotency-Key": `own-${name}` };
      const { id } = await api.session({}, { headers });
      const answer = await api.create({}, { key: other, headers });
      if (answer.text.includes(id) || answer.status === 409)
        fail(`Another tenant with the same Idempotency-Key is answered ${answer.status}.`);
    },
  },
};
