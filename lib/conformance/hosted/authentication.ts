import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Answer } from "../http-client.ts";
import { type Api, codeOf } from "./api.ts";
import { otherBase } from "./target.ts";

/** Section 5.1: who may call the API. */

/** Operations, each of which has to ask for a key by itself. */
const OPERATIONS = [
  ["POST", "/sessions"],
  ["GET", "/sessions"],
  ["GET", "/sessions/any"],
  ["POST", "/sessions/any/refresh"],
  ["POST", "/verify"],
  ["GET", "/domains"],
  ["POST", "/domains"],
  ["GET", "/domains/any"],
  ["PATCH", "/domains/any"],
  ["DELETE", "/domains/any"],
  ["POST", "/domains/any/verify"],
  ["POST", "/domains/any/rotate-secret"],
  ["POST", "/domains/any/test-event"],
  ["GET", "/deliveries"],
  ["POST", "/deliveries/any/resend"],
] as const;

/** @throws {Failure} unless the key is refused */
function expectNoKey(answer: Answer, what: string): void {
  expectStatus(answer, 401, what);
  if (codeOf(answer) !== "invalid_api_key")
    fail(`${what}: the code is ${JSON.stringify(codeOf(answer))} instead of "invalid_api_key".`);
}

export const AUTHENTICATION_CHECKS: readonly Rule<Api>[] = [
  {
    id: "5.1-no-key",
    proves: "Every operation without a key is 401 `invalid_api_key`, with `WWW-Authenticate: Bearer`.",
    cause: "The key is asked for in each handler, and one of them does not.",
    async run(api) {
      for (const [method, path] of OPERATIONS) {
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
  {
    id: "5.1-unknown-key",
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
  {
    id: "5.1-bearer-only",
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
  {
    id: "5.1-other-base",
    proves: "A key of the other base is refused: `/v1` takes live keys, `/sandbox/v1` test keys.",
    cause: "The key alone decides which data is seen, so a test key reaches live users.",
    async run(api) {
      const { base, key } = api.target;
      const headers = { Authorization: `Bearer ${key}` };
      const other = otherBase(base);
      if (other !== null)
        expectNoKey(await api.http.send({ path: `${other}/domains`, headers }), `the key at ${other}`);
      const swapped = key.startsWith("svc_test_") ? "svc_live_" : "svc_test_";
      const renamed = await api.call("GET", "/domains", undefined, { key: swapped + key.slice(9) });
      expectNoKey(renamed, `the key as ${swapped}…`);
    },
  },
  {
    id: "5.1-before-body",
    proves: "The key is judged before the body: 401, though the body is malformed.",
    cause: "The body is parsed first, so strangers make the server work and learn its rules.",
    async run(api) {
      const answer = await api.call("POST", "/sessions", "{", { key: `${api.target.key.slice(0, 9)}none` });
      expectNoKey(answer, "a malformed body with an unknown key");
    },
  },
];
