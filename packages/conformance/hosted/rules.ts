import { gzipSync } from "node:zlib";
import { fail, type Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import {
  expectCodeFits,
  expectNoFault,
  expectNothingInner,
  INNER,
  ofAllAnswers,
  refusesRequests,
} from "../flow/errors.ts";
import {
  ALLOW_ORIGIN,
  expectAnyOrigin,
  expectNoCredentials,
  expectPreflight,
  FOREIGN,
  noStore,
  ownRequestIds,
} from "../flow/headers.ts";
import { expectCounted, saysWhenToComeBack, untilLimited } from "../flow/limits.ts";
import { bodyOf } from "../http-client.ts";
import type { Api } from "./api.ts";
import { OPERATIONS } from "./authentication.ts";

/** Section 2, as far as it binds the hosted API: errors, hostile input, headers. */

export const RULE_CHECKS: Rules<Api> = {
  "2.1-api-errors": {
    proves:
      "Every refusal of the API is `error` with `code`, `message` and `details`, and its code fits its status.",
    cause: "Some refusals are the framework's own, or a library's.",
    ...ofAllAnswers<Api>((api) => {
      for (const { answer } of api.run.answers) {
        if (answer.status < 400) continue;
        api.expectRefusal(answer, "a refusal");
        expectCodeFits(answer);
      }
    }),
  },
  "2.1-api-tells-nothing-inner": {
    proves: "No error of the API holds a stack, SQL, or a path of the server.",
    cause: "The message of an exception is sent to the caller.",
    ...ofAllAnswers<Api>(({ run }) => expectNothingInner(run.answers, INNER)),
  },
  "2.1-api-server-fault": {
    proves: "Nothing that this run has sent made the API fail: no answer was a 5xx.",
    cause: "An exception that nobody catches: look at the exchange, it is the input that does it.",
    ...ofAllAnswers<Api>(({ run }) => expectNoFault(run.answers)),
  },
  "2.1-api-paths": {
    proves: "Unknown paths are 404 and other methods 405 with `Allow`, in the same shape.",
    cause: "The framework's own page answers.",
    run: (site) =>
      refusesRequests(site, [
        [404, "GET", "/nothing"],
        [404, "GET", "/sessions/a/b/c"],
        [404, "GET", "/domains/a/nothing"],
        [405, "DELETE", "/sessions"],
        [405, "PUT", "/domains"],
        [405, "GET", "/verify"],
      ]),
  },
  "2.2-api-bodies": {
    proves: "What is no JSON object of the right size, type and depth is refused: 400, 413 or 415.",
    cause: "The exception of `JSON.parse` is not caught, or nothing limits size and depth.",
    async run(api) {
      const right = JSON.stringify({ domain: (await api.domain()).name });
      const nested = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
      const cases: [string, number, string | Uint8Array, Record<string, string>?][] = [
        ["an empty body", 400, ""],
        ["JSON that is cut short", 400, right.slice(0, -1)],
        ["an array", 400, `[${right}]`],
        ["null", 400, "null"],
        ["40 levels", 400, right.replace(/}$/, `,"more":${nested}}`)],
        ["invalid UTF-8", 400, Buffer.from('{"domain":"\u00ff"}', "latin1")],
        ["NUL", 400, JSON.stringify({ domain: "a\u0000b.example" })],
        ["fields behind __proto__", 400, `{"__proto__":${right}}`],
        ["70 KB", 413, right.replace(/}$/, `,"more":"${"a".repeat(70 * 1024)}"}`)],
        ["a form", 415, "domain=x", { "Content-Type": "application/x-www-form-urlencoded" }],
        ["a compressed body", 415, gzipSync(right), { "Content-Encoding": "gzip" }],
      ];
      for (const [what, status, body, headers] of cases)
        expectStatus(await api.call("POST", "/sessions", body, { headers }), status, what);
    },
  },
  "2.2-api-query": {
    proves: "A query that names a field twice, or more than 64, is 400.",
    cause: "One of the two is taken, and a proxy in front takes the other.",
    async run(api) {
      const many = Array.from({ length: 70 }, (_, index) => `f${index}=1`).join("&");
      for (const query of ["limit=1&limit=2", many])
        expectStatus(await api.call("GET", `/sessions?${query}`), 400, query.slice(0, 30));
    },
  },
  "2.3-api-request-id": {
    proves: "Every answer of the API carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it.",
    ...ownRequestIds,
  },
  "2.3-api-no-store": {
    proves: "No answer about a session may be stored: each says `Cache-Control: no-store`.",
    cause: "The framework's default lets a proxy keep challenges and statuses.",
    ...noStore(({ path }) => /\/sessions\b/.test(path)),
  },
  "2.3-api-cors-wallets": {
    proves:
      "A wallet in a browser may answer a session: any origin reads the answer, and a preflight allows it.",
    cause: "CORS is set for the site's own webhooks, and this one is forgotten.",
    async run(api) {
      const session = await api.session();
      const asked = await expectPreflight(api.http, api.webhook(session.id));
      const refused = await api.post(api.webhook(session.id), "{", FOREIGN);
      const accepted = await api.respond(session);
      for (const answer of [asked, refused, accepted]) {
        expectAnyOrigin(answer);
        expectNoCredentials([{ answer }]);
      }
    },
  },
  "2.3-api-cors-elsewhere": {
    proves: "No other answer of the API may be read by another origin: keys belong on servers.",
    cause: "CORS is switched on for the whole API, so that keys are put into pages.",
    async run(api) {
      for (const [method, path] of [
        ["GET", "/domains"],
        ["GET", "/sessions"],
        ["OPTIONS", "/sessions"],
      ] as const) {
        const { headers } = await api.call(method, path, undefined, { headers: FOREIGN });
        if (headers[ALLOW_ORIGIN] !== undefined) fail(`${method} ${path} allows ${headers[ALLOW_ORIGIN]}.`);
      }
    },
  },
  "5.1-openapi": {
    proves:
      "`GET /openapi.json` below the base is an OpenAPI document that names every operation, and needs no key.",
    cause: "The document is written by hand and has fallen behind.",
    async run(api) {
      const answer = await api.http.send({ path: `${api.target.base}/openapi.json` });
      expectStatus(answer, 200, "the OpenAPI document");
      const { openapi, paths } = bodyOf(answer) as { openapi?: unknown; paths?: Record<string, object> };
      if (!/^3\.\d+\.\d+$/.test(String(openapi))) fail(`\`openapi\` is ${JSON.stringify(openapi)}.`);
      const named = Object.entries(paths ?? {}).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, "*")}`),
      );
      const missing = OPERATIONS.filter(
        ([method, path]) => !named.some((name) => name.startsWith(`${method} `) && name.endsWith(path)),
      );
      if (missing.length > 0) fail(`It does not name ${missing.map((each) => each.join(" ")).join(", ")}.`);
    },
  },
};

/** @throws {Failure} unless the API still answers a read */
async function expectListed(api: Api, after: string): Promise<void> {
  const { status } = await api.call("GET", "/domains", undefined, { expectsLimit: true });
  if (status !== 200) fail(`After ${after} GET /domains is answered ${status}.`);
}

/** Section 2.4: a tenant has a share. */
export const HOSTED_LIMIT_CHECKS: Rules<Api> = {
  "2.4-api-headers": {
    proves: "Every operation says what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(api) {
      const { id } = await api.session();
      const answers = [
        await api.create(),
        await api.read(id),
        await api.call("GET", "/domains"),
        await api.call("POST", "/verify", {}),
      ];
      for (const answer of answers) expectCounted(answer);
    },
  },
  "2.4-api-retry-after": {
    proves: "A 429 of the API says when to come back: `Retry-After`, and the same as `details.retry_after`.",
    ...saysWhenToComeBack,
  },
  "2.4-api-sessions-limited": {
    proves: "A tenant creates at most 100 sessions a minute; reading goes on.",
    cause: "Nothing counts, or one counter stands for all operations.",
    locksOut: true,
    async run(api) {
      await api.domain();
      api.expectLimited(await untilLimited(100, () => api.create({}, { expectsLimit: true })));
      await expectListed(api, "the limit of sessions");
    },
  },
  "2.4-api-failures-limited": {
    proves: "One address fails at most 60 times a minute with unknown keys, and the right key still passes.",
    cause: "Keys can be tried without end, or an attacker behind the same address locks the customer out.",
    locksOut: true,
    async run(api) {
      const key = `${api.target.key.slice(0, 9)}${"A".repeat(43)}`;
      await untilLimited(60, () => api.call("GET", "/domains", undefined, { key, expectsLimit: true }));
      await expectListed(api, "the limit of unknown keys");
    },
  },
};
