import { posix } from "node:path";
import { locksOut, looksBack, type Rules } from "../check.ts";
import { expectEqual } from "../expect-status.ts";
import * as errors from "../flow/errors.ts";
import * as cors from "../flow/headers.ts";
import { expectCounted, isLimited, saysWhenToComeBack, untilLimited } from "../flow/headers.ts";
import type { SiteId } from "../texts/site.ts";
import type { Site } from "./site.ts";

/** Sections 2.1, 2.3 and 2.4: errors, the headers for caches, browsers and support, and the limits. */

export const ERROR_CHECKS = {
  "2.1-error-body": errors.ofAllAnswers<Site>((site) => {
    for (const { answer, request } of site.ownAnswers()) {
      if (answer.status >= 400 && request.method !== "HEAD") site.expectRefusal(answer, "a refusal");
    }
  }),
  "2.1-error-code": errors.ofAllAnswers<Site>((site) => {
    for (const { answer } of site.ownAnswers()) errors.expectCodeFits(answer);
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
  "2.1-tells-nothing-inner": errors.ofAllAnswers<Site>(({ run }) =>
    errors.expectNothingInner(run.answers.filter(errors.isNoPage), errors.INNER),
  ),
  "2.1-server-fault": errors.ofAllAnswers<Site>(({ run }) =>
    errors.expectNoFault(run.answers.filter(({ request }) => !request.hostile)),
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
} satisfies Rules<Site, SiteId>;

export const HEADER_CHECKS = {
  "2.3-no-store": cors.noStore(),
  "2.3-request-id": cors.ownRequestIds,
  "2.3-cors-wallets": cors.readByAnyOrigin,
  "2.3-cors-preflight": (site) =>
    cors.allowsPreflight(site, [site.webhook("login"), site.webhook("register")], "86400"),
  async "2.3-cors-elsewhere"(site) {
    const { qr, check, signIn } = site.target;
    const { browser, sid } = await site.issue();
    const session = `${signIn.split("/callback/")[0]}/session`;
    const status = `${check}?${new URLSearchParams({ sid })}`;
    const paths = [`${qr}?mode=login`, status, session, "/login", "/dashboard"];
    await cors.readByNobodyElse(browser, paths, ["GET", "OPTIONS"]);
    const { allowedOrigin, close } = await site.events(browser, sid, cors.FOREIGN);
    close();
    expectEqual(allowedOrigin, undefined, "The Access-Control-Allow-Origin of the event stream");
  },
  "2.3-no-credentials": looksBack(async (site) => {
    await site.provoke();
    // A page in a sandboxed frame says "null", which lists of allowed origins may let through.
    for (const headers of [cors.FOREIGN, { Origin: "null" }])
      await site.http.send({ path: `${site.target.qr}?mode=login`, headers });
    cors.expectNoCredentials(site.run.answers);
  }),
  async "2.4-headers"(site) {
    const code = await site.issue();
    expectCounted(code.answer);
    expectCounted(await site.check(code.sid));
    expectCounted(await site.post(site.webhook("login"), "{"));
  },
  "2.4-retry-after": saysWhenToComeBack,
  "2.4-codes-limited": isLimited<Site>(120, ({ http, target }, forged) =>
    http.send({ path: `${target.qr}?mode=login`, ...forged }),
  ),
  "2.4-responses-limited": isLimited<Site>(120, (site, { headers, ...forged }) =>
    site.post(site.webhook("login"), "{}", headers, forged),
  ),
  "2.4-sign-ins-limited": locksOut(async (site) => {
    const browser = site.browser();
    const signIn = () => browser.signIn("A".repeat(40), {}, { expectsLimit: true });
    await untilLimited(60, async () => (await signIn()).answer, "failed sign-ins");
  }),
} satisfies Rules<Site, SiteId>;
