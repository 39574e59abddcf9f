import type { Browser } from "../browser.ts";
import { fail, type Rules } from "../check.ts";
import {
  adoptsNoSid,
  bindingCookieChecks,
  bindingOf,
  expectWholeSite,
  refusesQueries,
  renewsNoForeign,
  renewsOwn,
} from "../flow/binding.ts";
import type { FastSite } from "./site.ts";

/** Section 6.1: which login a code belongs to. */

/** A browser that asks for a code is told that it has nothing to scan. */
async function expectNoCode(site: FastSite, browser: Browser, query?: Record<string, string>): Promise<void> {
  const { json } = await site.askForCode(browser, query);
  const { status, qr } = (json ?? {}) as { status?: unknown; qr?: unknown };
  if (status !== 1 || qr !== "")
    fail(`The answer has status ${JSON.stringify(status)} and qr ${JSON.stringify(qr)}.`);
}

export const FAST_CODE_CHECKS: Rules<FastSite> = {
  "6.1-new-login": {
    proves: "Without a `sid`, and with an empty one, `null` or `undefined`, a new login starts.",
    cause: "A script's `null` arrives as a text and is looked up, or adopted.",
    async run(site) {
      for (const sid of [undefined, "", "null", "undefined"]) {
        const code = await site.issue(site.browser(), sid);
        if (code.sid === "" || code.sid === sid)
          fail(`sid=${sid ?? ""} is answered with the sid "${code.sid}".`);
      }
    },
  },
  "6.1-refresh": {
    proves: "A browser that names its own login gets a new challenge of the same login.",
    cause:
      "Every code starts a login, so that answers to the code before are lost; or the challenge is kept.",
    run: renewsOwn,
  },
  "6.1-refresh-foreign": renewsNoForeign,
  "6.1-sid-not-adopted": adoptsNoSid(
    ({ sid }) => `${"Q".repeat(sid.split("_")[0]?.length ?? 32)}_${Math.floor(Date.now() / 1000)}`,
  ),
  "6.1-secret-not-adopted": {
    proves: "A binding secret that the server did not make is never adopted.",
    cause:
      "A cookie that comes along is kept as the browser's secret, so that a neighbouring host can plant one.",
    async run(site) {
      const shape = bindingOf(await site.issue());
      const planted = "A".repeat(shape.value.length);
      const victim = site.browser();
      victim.cookies.set(shape.name, planted);
      await site.issue(victim);
      if (victim.cookies.get(shape.name) === planted)
        fail("The browser goes on with the secret that was planted.");
    },
  },
  "6.1-answered": {
    proves: "A login that was answered gets no new code: `status` is 1, and `qr` is empty.",
    cause: "A refresh puts an answered login back to waiting, or adds challenges to it.",
    async run(site) {
      const { browser, code } = await site.answered();
      await expectNoCode(site, browser, { sid: code.sid });
      if (!(await site.isAnswered(code.sid))) fail("The answered login waits again.");
    },
  },
  "6.1-answered-foreign": {
    proves: "A stranger who names an answered login is not told that it is his: he gets a code of his own.",
    cause: "`status` 1 is given for the sid alone, and the page then goes to the dashboard.",
    async run(site) {
      const { code } = await site.answered();
      const { json } = await site.askForCode(undefined, { sid: code.sid });
      const { status, sid } = (json ?? {}) as { status?: unknown; sid?: unknown };
      if (status !== 0 || sid === code.sid)
        fail(`A stranger is answered status ${JSON.stringify(status)}, sid ${sid}.`);
    },
  },
  "6.1-signed-in": {
    proves: "A browser that is signed in gets `status` 1 and no code.",
    cause: "The code's endpoint does not look at the session, so a second login runs beside the first.",
    async run(site) {
      const { browser, code } = await site.answered();
      if (!(await site.signsIn(browser, code.sid))) fail("The browser is not signed in.");
      await expectNoCode(site, browser);
    },
  },
  "6.1-intent-unknown": {
    proves: "A code with an intent that the site does not know is refused with 400.",
    cause: "The intent is ignored, so a page that asks for an approval signs somebody in instead.",
    run: refusesQueries([{ intent: "conformance" }], [400]),
  },
  "6.1-intent-of-a-stranger": {
    proves:
      "Nobody who is not signed in gets a code that adds an address, approves a change or recovers an account.",
    cause: "The intent is read before the browser session is.",
    run: refusesQueries(["add", "approve", "recover"].map((intent) => ({ intent }))),
  },
  "6.1-strange-sids": {
    proves: "A strange `sid` gets a new login or a 4xx, and breaks nothing.",
    cause: "The sid reaches the database as it came.",
    async run(site) {
      for (const sid of ["%00", "%ED%A0%80", "'%20OR%201=1--", "__proto__", "%25", "a&sid=b"]) {
        const answer = await site.http.send({ path: `${site.target.qr}?sid=${sid}` });
        if (answer.status >= 500) fail(`The sid ${sid} is answered ${answer.status}.`);
      }
    },
  },
};

/** What binds it to a browser. */
export const FAST_COOKIE_CHECKS: Rules<FastSite> = {
  "6.1-cookie": {
    proves: "A code's answer sets a cookie for the whole site, and not for other hosts.",
    cause:
      "The binding is left out, as in the specification's short form; or it has a `Domain` or a narrow `Path`.",
    async run(site) {
      const code = await site.issue();
      if (code.answer.cookies.length === 0)
        fail("The code's answer sets no cookie: whoever sees the code can sign in.");
      expectWholeSite(bindingOf(code));
    },
  },
  ...bindingCookieChecks("6.1", "fast login's binding cookie"),
};
