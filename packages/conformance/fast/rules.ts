import { exhaustsLimits, fail, type Rules } from "../check.ts";
import { expectType } from "../expect-status.ts";
import * as errors from "../flow/errors.ts";
import * as cors from "../flow/headers.ts";
import { expectLimitHeaders, isLimited, sendUntilLimited } from "../flow/headers.ts";
import { redirectOf } from "../http-client.ts";
import type { FastId } from "../texts/fast.ts";
import { type FastSite, FORM } from "./site.ts";

/** Sections 2 and 6: the text, headers and limits of every response. */

/** The webhook's plain-text responses begin with these words, by status. */
const WORDS: Record<number, readonly string[]> = {
  200: ["successfully authenticated"],
  400: ["no challenge found", "Error:"],
  401: ["could not verify"],
  500: ["Error:"],
};

export const FAST_RULE_CHECKS = {
  "6.2-words": errors.checkAllResponses<FastSite>((site) => {
    for (const { answer } of site.walletAnswers()) {
      const { status, text } = answer;
      const what = `The ${status} of ${answer.name}`;
      const words = WORDS[status];
      if (!words) continue;
      expectType(answer, "text/plain", what);
      const said = JSON.stringify(text.slice(0, 80));
      if (!words.some((each) => text.toLowerCase().startsWith(each.toLowerCase())))
        fail(`${what} is ${said}. It must begin with "${words.join('" or "')}".`);
    }
  }),
  "6.2-server-fault": errors.checkAllResponses<FastSite>(({ run }) =>
    errors.expectNoServerError(run.answers),
  ),
  "6.2-tells-nothing-inner": errors.checkAllResponses<FastSite>((site) =>
    errors.expectNoInternalDetails(
      site.ownAnswers().filter(errors.isNotPage),
      errors.INTERNAL_DETAILS_IN_TEXT,
    ),
  ),
  "6-other-errors"(site) {
    const { qr, check, webhook } = site.target;
    return errors.refusesRequests(site, [
      [405, "DELETE", webhook],
      [405, "POST", qr],
      [405, "PUT", check],
      [400, "GET", check],
    ]);
  },
  "6-no-store": cors.sendsNoStore(),
  "6-request-id": cors.sendsUniqueRequestIds,
  "6-cors-wallets": errors.checkAllResponses<FastSite>((site) => {
    for (const { answer } of site.walletAnswers()) cors.expectAnyOrigin(answer);
    cors.expectNoCredentials(site.run.answers);
  }),
  "6-cors-preflight": (site) => cors.allowsPreflight(site, [site.target.webhook]),
  async "6-cors-elsewhere"(site) {
    const { qr, check, dashboard } = site.target;
    const { browser, sid } = await site.issue();
    await cors.refusesOtherOrigins(browser, [qr, `${check}?${new URLSearchParams({ sid })}`, dashboard]);
  },
  async "6-limit-headers"(site) {
    const code = await site.issue();
    expectLimitHeaders(code.answer);
    expectLimitHeaders(await site.check(code.sid));
    expectLimitHeaders(await site.postForm(site.target.webhook, {}));
  },
  "6-codes-limited": isLimited<FastSite>(120, ({ http, target }, forged) =>
    http.send({ path: target.qr, ...forged }),
  ),
  "6-responses-limited": isLimited<FastSite>(120, (site, { headers, ...forged }) =>
    site.post(`${site.target.webhook}?sid=x&c=x&t=1`, "msg=x&sig=x&addr=x", { ...FORM, ...headers }, forged),
  ),
  "6-sign-ins-limited": exhaustsLimits(async (site) => {
    const { dashboard, origin } = site.target;
    const path = `${dashboard}?${new URLSearchParams({ sid: `${"A".repeat(32)}_1700000000` })}`;
    const signIn = async () => {
      const answer = await site.http.send({ path, expectsLimit: true });
      const next = redirectOf(answer, new URL(path, origin));
      if (next?.origin !== origin.origin) return answer;
      return site.http.send({ path: next.pathname + next.search, expectsLimit: true });
    };
    await sendUntilLimited(60, signIn, "failed sign-ins");
  }),
} satisfies Rules<FastSite, FastId>;
