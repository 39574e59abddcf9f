import { exhaustsLimits, fail, type Rules } from "../check.ts";
import { expectEqual, expectMatch, expectStatus } from "../expect-status.ts";
import * as errors from "../flow/errors.ts";
import * as cors from "../flow/headers.ts";
import { expectRequestCounted, retryAfterIsPresent, sendUntilLimited } from "../flow/headers.ts";
import { type Bodies, invalidBodies } from "../flow/responses.ts";
import { bodyOf } from "../http-client.ts";
import type { HostedId } from "../texts/hosted.ts";
import type { Api } from "./api.ts";
import { OPERATIONS } from "./authentication.ts";

/** Section 2 for the hosted API: errors, hostile input, headers, and each tenant's limits. */

async function expectListed(api: Api, after: string): Promise<void> {
  const { status } = await api.call("GET", "/domains", undefined, { expectsLimit: true });
  expectEqual(status, 200, `After ${after} the status of GET /domains`);
}

export const HOSTED_RULE_CHECKS = {
  "2.1-api-errors": errors.checkAllResponses<Api>((api) => {
    for (const { answer } of api.run.answers) {
      if (answer.status < 400) continue;
      api.expectRefusal(answer, "a refusal");
      errors.expectMatchingCode(answer);
    }
  }),
  "2.1-api-tells-nothing-inner": errors.checkAllResponses<Api>(({ run }) =>
    errors.expectNoInternalDetails(run.answers, errors.INTERNAL_DETAILS),
  ),
  "2.1-api-server-fault": errors.checkAllResponses<Api>(({ run }) => errors.expectNoServerError(run.answers)),
  "2.1-api-paths": (site) =>
    errors.refusesRequests(site, [
      [404, "GET", "/nothing"],
      [404, "GET", "/sessions/a/b/c"],
      [404, "GET", "/domains/a/nothing"],
      [405, "DELETE", "/sessions"],
      [405, "PUT", "/domains"],
      [405, "GET", "/verify"],
    ]),
  async "2.2-api-bodies"(api) {
    const correctBody = JSON.stringify({ domain: (await api.domain()).name });
    const cases: readonly (readonly [status: number, bodies: Bodies])[] = [
      [400, invalidBodies.noJson(correctBody)],
      [400, invalidBodies.nesting(correctBody)],
      [400, invalidBodies.prototype(correctBody)],
      [400, [["a body that is not valid UTF-8", Buffer.from('{"domain":"\u00ff"}', "latin1")]]],
      [400, [["a body with NUL in the domain", JSON.stringify({ domain: "a\u0000b.example" })]]],
      [413, invalidBodies.size(correctBody)],
      [
        415,
        [["a form instead of JSON", "domain=x", { "Content-Type": "application/x-www-form-urlencoded" }]],
      ],
      [415, invalidBodies.encoding(correctBody)],
    ];
    for (const [status, bodies] of cases) {
      for (const [what, body, headers] of bodies)
        expectStatus(await api.call("POST", "/sessions", body, { headers }), status, what);
    }
  },
  async "2.2-api-query"(api) {
    const many = Array.from({ length: 70 }, (_, index) => `f${index}=1`).join("&");
    for (const query of ["limit=1&limit=2", many])
      expectStatus(await api.call("GET", `/sessions?${query}`), 400, `the query ${query.slice(0, 30)}`);
  },
  "2.3-api-request-id": cors.sendsUniqueRequestIds,
  "2.3-api-no-store": cors.sendsNoStore(({ path }) => /\/sessions\b/.test(path)),
  async "2.3-api-cors-wallets"(api) {
    const session = await api.session();
    const webhook = api.webhookOf(session);
    const preflight = await cors.expectPreflight(api.http, webhook);
    const refused = await api.post(webhook, "{", cors.FOREIGN_ORIGIN_HEADER);
    const accepted = await api.respond(session);
    for (const answer of [preflight, refused, accepted]) {
      cors.expectAnyOrigin(answer);
      cors.expectNoCredentials([{ answer }]);
    }
  },
  async "2.3-api-cors-elsewhere"(api) {
    for (const [method, path] of [
      ["GET", "/domains"],
      ["GET", "/sessions"],
      ["OPTIONS", "/sessions"],
    ] as const) {
      const { headers } = await api.call(method, path, undefined, { headers: cors.FOREIGN_ORIGIN_HEADER });
      expectEqual(headers[cors.ALLOW_ORIGIN], undefined, `${method} ${path}: Access-Control-Allow-Origin`);
    }
  },
  async "5.1-openapi"(api) {
    const answer = await api.http.send({ path: `${api.target.base}/openapi.json` });
    expectStatus(answer, 200, "the OpenAPI document");
    const { openapi, paths } = bodyOf(answer) as { openapi?: unknown; paths?: Record<string, object> };
    expectMatch(openapi, /^3\.\d+\.\d+$/, "`openapi`", "a version 3");
    const documented = Object.entries(paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, "*")}`),
    );
    const missing = OPERATIONS.filter(
      ([method, path]) => !documented.some((name) => name.startsWith(`${method} `) && name.endsWith(path)),
    );
    if (missing.length > 0)
      fail(`The OpenAPI document does not contain ${missing.map((each) => each.join(" ")).join(", ")}.`);
  },
  async "2.4-api-headers"(api) {
    const { id } = await api.session();
    const answers = [
      await api.create(),
      await api.read(id),
      await api.call("GET", "/domains"),
      await api.call("POST", "/verify", {}),
    ];
    for (const answer of answers) expectRequestCounted(answer);
  },
  "2.4-api-retry-after": retryAfterIsPresent,
  "2.4-api-sessions-limited": exhaustsLimits(async (api) => {
    await api.domain();
    api.expectLimited(await sendUntilLimited(100, () => api.create({}, { expectsLimit: true })));
    await expectListed(api, "the limit of sessions");
  }),
  "2.4-api-failures-limited": exhaustsLimits(async (api) => {
    const key = `${api.target.key.slice(0, 9)}${"A".repeat(43)}`;
    await sendUntilLimited(60, () => api.call("GET", "/domains", undefined, { key, expectsLimit: true }));
    await expectListed(api, "the limit of unknown keys");
  }),
} satisfies Rules<Api, HostedId>;
