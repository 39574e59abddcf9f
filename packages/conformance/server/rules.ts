import { posix } from "node:path";
import { exhaustsLimits, type Rules, runsLast } from "../check.ts";
import { expectEqual, expectStatus, type Statuses } from "../expect-status.ts";
import * as errors from "../flow/errors.ts";
import * as cors from "../flow/headers.ts";
import { expectRequestCounted, isLimited, retryAfterIsPresent, sendUntilLimited } from "../flow/headers.ts";
import { type Bodies, closesStalledBodies, invalidBodies, refusesBodies } from "../flow/responses.ts";
import { Wallet } from "../flow/wallet.ts";
import type { Answer } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import type { Site } from "./site.ts";

/**
 * Section 2: the format of errors, the 4xx for hostile requests, the headers for caches, browsers and support, and the
 * limits.
 */

/** Two bytes are not valid UTF-8. */
function withInvalidUtf8(response: string): Buffer {
  const [before = "", after = ""] = response.split(/(?<="platform":")/);
  return Buffer.concat([Buffer.from(before), Buffer.of(0xff, 0xfe), Buffer.from(after)]);
}

const refuses = (statuses: Statuses, bodiesOf: (response: string) => Bodies) =>
  refusesBodies(({ challenge }) => bodiesOf(JSON.stringify(new Wallet().response(challenge))), statuses);

function expectRefusedBeforeSite({ run }: Site, answer: Answer, what: string): void {
  const isNext = run.answers.some(({ answer: { headers } }) => headers.vary?.includes("next-router"));
  const isOwn = isNext && answer.status >= 500 && answer.headers["x-request-id"] === undefined;
  const reason =
    " This is Next's own answer, before any code of the site runs: no page or handler can change it.";
  expectStatus(answer, "a 4xx", what, isOwn ? reason : "");
}

export const RULE_CHECKS = {
  "2.1-error-body": errors.checkAllResponses<Site>((site) => {
    for (const { answer, request } of site.ownAnswers()) {
      if (answer.status >= 400 && request.method !== "HEAD") site.expectRefusal(answer, "a refusal");
    }
  }),
  "2.1-error-code": errors.checkAllResponses<Site>((site) => {
    for (const { answer } of site.ownAnswers()) errors.expectMatchingCode(answer);
  }),
  async "2.1-which-404"(site) {
    const code = await site.issue();
    for (const [answer, expected] of [
      [await site.respond(code, site.newWallet()), "user_not_found"],
      [await site.check("A".repeat(40)), "session_not_found"],
    ] as const) {
      if (answer.status !== 404 || !errors.isErrorBody(answer.json)) continue;
      expectEqual(answer.json.error.code, expected, `The code of the 404 of ${answer.name}`);
    }
  },
  "2.1-tells-nothing-inner": errors.checkAllResponses<Site>(({ run }) =>
    errors.expectNoInternalDetails(run.answers.filter(errors.isNotPage), errors.INTERNAL_DETAILS),
  ),
  "2.1-server-fault": errors.checkAllResponses<Site>(({ run }) =>
    errors.expectNoServerError(run.answers.filter(({ request }) => !request.hostile)),
  ),
  "2.1-unknown-path"(site) {
    const { qr, webhook } = site.target;
    return errors.refusesRequests(site, [
      [404, "GET", posix.join(posix.dirname(qr), "nothing-here")],
      [404, "GET", `${webhook}/nothing-here`],
    ]);
  },
  "2.1-method": (site) =>
    errors.refusesRequests(site, [
      [405, "POST", site.target.qr],
      [405, "DELETE", site.target.check],
      [405, "PUT", site.webhook("login")],
    ]),
  "2.2-no-json": refuses(400, invalidBodies.noJson),
  "2.2-text": refuses([400, 406, 408], (response) => [
    ["a body that is not valid UTF-8", withInvalidUtf8(response)],
    ["a response with NUL in its challenge", response.replace("svc:", "svc:\\u0000")],
    ["a response with a lone surrogate in its challenge", response.replace("svc:", "svc:\\ud800")],
    ["a response with NUL in its key", response.replace('"public_key":"', '"public_key":"\\u0000')],
    ["NUL in `device_info`", response.replace('"platform":"', '"platform":"\\u0000')],
    ["a lone surrogate in `device_info`", response.replace('"platform":"', '"platform":"\\ud800')],
  ]),
  "2.2-nesting": refuses(400, invalidBodies.nesting),
  "2.2-prototype": refuses(400, invalidBodies.prototype),
  "2.2-body-size": refuses(413, invalidBodies.size),
  "2.2-content-encoding": refuses(415, invalidBodies.encoding),
  async "2.2-query-twice"(site) {
    const { qr, check } = site.target;
    for (const path of [`${qr}?mode=login&mode=register`, `${check}?sid=a&sid=b`])
      expectStatus(await site.http.send({ path }), 400, `the query of ${path}`);
  },
  async "2.2-query-fields"(site) {
    const fields = Array.from({ length: 65 }, (_, index) => `f${index}=1`).join("&");
    const path = `${site.target.qr}?mode=login&${fields}`;
    expectStatus(await site.http.send({ path, hostile: true }), 400, "a query of 66 fields");
  },
  async "2.2-target"(site) {
    const path = `${site.target.check}?sid=${"a".repeat(4_100)}`;
    expectStatus(await site.http.send({ path, hostile: true }), 414, "a target of over 4,100 bytes");
  },
  async "2.2-headers"(site) {
    const headers = { "X-Large": "a".repeat(17 * 1024) };
    const answer = await site.http.send({ path: site.target.qr, headers, hostile: true });
    expectStatus(answer, 431, "a request with 17 KB of headers");
  },
  async "2.2-percent-encoding"(site) {
    const { check, qr } = site.target;
    const invalid = ["%E0%A4%A", "%", "%zz", "%ff%fe"];
    for (const path of [
      ...[...invalid, "%00"].map((text) => `${check}?sid=${text}`),
      // Apart from `more`, these requests are valid.
      ...invalid.map((text) => `${qr}?mode=login&more=${text}`),
    ])
      expectStatus(await site.http.send({ path, hostile: true }), "a 4xx", `the query of ${path}`);
  },
  async "2.2-percent-path"(site) {
    const path = posix.join(posix.dirname(site.target.check), "%E0%A4%A");
    const answer = await site.http.send({ path, hostile: true });
    expectRefusedBeforeSite(site, answer, "a path with invalid percent-encoding");
  },
  async "2.2-odd-methods"(site) {
    for (const method of ["TRACE", "PROPFIND"]) {
      const answer = await site.http.send({ method, path: site.target.check, hostile: true });
      expectRefusedBeforeSite(site, answer, `the method ${method}`);
    }
  },
  async "2.2-strange-cookies"(site) {
    const name = (await site.issue()).answer.cookies[0]?.name ?? "svc-browser";
    for (const value of ["%00", "%E0%A4%A", "a".repeat(3_000)]) {
      const headers = { Cookie: `${name}=${value}` };
      const answer = await site.http.send({ path: `${site.target.qr}?mode=login`, headers });
      expectStatus(answer, 200, `a code for the cookie ${value.slice(0, 20)}`);
    }
  },
  async "2.2-strange-sids"(site) {
    for (const sid of ["%00", "%ED%A0%80", "'%20OR%201=1", "__proto__"]) {
      const answer = await site.http.send({ path: `${site.target.qr}?mode=login&sid=${sid}` });
      expectStatus(answer, [200, 400], `a code for the sid ${sid}`);
    }
  },
  "2.2-stalled-body": closesStalledBodies('{"public_key":', "application/json"),
  "2.3-no-store": cors.sendsNoStore(),
  "2.3-request-id": cors.sendsUniqueRequestIds,
  "2.3-cors-wallets": cors.allowsAnyOrigin,
  "2.3-cors-preflight": (site) =>
    cors.allowsPreflight(site, [site.webhook("login"), site.webhook("register")], "86400"),
  async "2.3-cors-elsewhere"(site) {
    const { qr, check, signIn } = site.target;
    const { browser, sid } = await site.issue();
    const session = `${signIn.split("/callback/")[0]}/session`;
    const status = `${check}?${new URLSearchParams({ sid })}`;
    const paths = [`${qr}?mode=login`, status, session, "/login", "/dashboard"];
    await cors.refusesOtherOrigins(browser, paths, ["GET", "OPTIONS"]);
    const { allowedOrigin, close } = await site.events(browser, sid, cors.FOREIGN_ORIGIN_HEADER);
    close();
    expectEqual(allowedOrigin, undefined, "The Access-Control-Allow-Origin of the event stream");
  },
  "2.3-no-credentials": runsLast(async (site) => {
    await site.provoke();
    // A page in a sandboxed frame sends "null", which a site's list of allowed origins might contain.
    for (const headers of [cors.FOREIGN_ORIGIN_HEADER, { Origin: "null" }])
      await site.http.send({ path: `${site.target.qr}?mode=login`, headers });
    cors.expectNoCredentials(site.run.answers);
  }),
  async "2.4-headers"(site) {
    const code = await site.issue();
    expectRequestCounted(code.answer);
    expectRequestCounted(await site.check(code.sid));
    expectRequestCounted(await site.post(site.webhook("login"), "{"));
  },
  "2.4-retry-after": retryAfterIsPresent,
  "2.4-codes-limited": isLimited<Site>(120, ({ http, target }, forged) =>
    http.send({ path: `${target.qr}?mode=login`, ...forged }),
  ),
  "2.4-responses-limited": isLimited<Site>(120, (site, { headers, ...forged }) =>
    site.post(site.webhook("login"), "{}", headers, forged),
  ),
  "2.4-sign-ins-limited": exhaustsLimits(async (site) => {
    const browser = site.browser();
    const signIn = () => browser.signIn("A".repeat(40), {}, { expectsLimit: true });
    await sendUntilLimited(60, async () => (await signIn()).answer, "failed sign-ins");
  }),
} satisfies Rules<Site, SiteId>;
