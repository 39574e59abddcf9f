import type { Browser } from "../browser.ts";
import { fail, type Rule, type Rules } from "../check.ts";
import { expectEqual } from "../expect-status.ts";
import {
  adoptsNoSecret,
  adoptsNoSid,
  bindingCookieChecks,
  bindingOf,
  expectWholeSite,
  refusesQueries,
  renewsNoForeign,
  renewsOwn,
} from "../flow/binding.ts";
import {
  CLOCK_TOLERANCE_SECONDS,
  ignoresForeignHosts,
  ofEveryCode,
  unpredictableBits,
} from "../flow/codes.ts";
import { bodyOf } from "../http-client.ts";
import type { FastSite } from "./site.ts";

/** Sections 1.6 and 6.1: what a site writes into a code, and which login and which browser it belongs to. */

const SAMPLES = 12;
/** A UUID of version 4 has 122 random bits. */
const RANDOM_BITS = 120;
/** `<random>_<unix>`. */
const TOKEN = /^([A-Za-z0-9]+)_([1-9][0-9]{8,10})$/;

/** Expects a sid or a challenge to have its form, and the server's time. */
const tokens = (what: "sid" | "challenge") =>
  ofEveryCode<FastSite>((code, { run }) => {
    const token = code[what];
    const seconds = Number(TOKEN.exec(token)?.[2] ?? Number.NaN);
    if (Number.isNaN(seconds)) fail(`The ${what} is ${JSON.stringify(token)}.`);
    const late = code.answer.date / 1000 - seconds;
    // A login may have been started before this code of it.
    const isRenewed = what === "sid" && run.codes.find(({ sid }) => sid === code.sid) !== code;
    if (Math.abs(late) > CLOCK_TOLERANCE_SECONDS && !(isRenewed && late > 0)) {
      fail(`The ${what} says ${seconds}, ${Math.round(late)} s from the time of its answer.`);
    }
  });

/** A sid or a challenge that cannot be guessed. */
const randomTokens = (what: "sid" | "challenge"): Rule<FastSite> => ({
  proves: `Nobody can guess a ${what}: its random string has 128 bits, and none comes twice.`,
  cause: "`Math.random`, a counter, a hash of the time, or a text that is too short.",
  looksBack: true,
  async run(site) {
    const known = new Set((await site.manyCodes(SAMPLES)).map((code) => code[what]));
    const randoms = [...known].map((token) => token.replace(/_[^_]*$/, ""));
    if (new Set(randoms).size < randoms.length) fail(`Two ${what}s have the same random string.`);
    const bits = unpredictableBits(randoms, 62);
    if (bits < RANDOM_BITS) fail(`Of ${randoms.length} ${what}s some ${Math.round(bits)} bits differ.`);
  },
});

const WRONG_FORM = "A UUID, another separator, milliseconds, or a clock that is wrong.";

export const FAST_FORMAT_CHECKS: Rules<FastSite> = {
  "1.6-sid": {
    proves: "A sid is a random string, an underscore and Unix seconds: the time when the login was started.",
    cause: WRONG_FORM,
    ...tokens("sid"),
  },
  "1.6-challenge": {
    proves: "A challenge is a random string, an underscore and Unix seconds: the time when it was issued.",
    cause: WRONG_FORM,
    ...tokens("challenge"),
  },
  "1.6-sid-random": randomTokens("sid"),
  "1.6-challenge-random": randomTokens("challenge"),
  "1.6-time": {
    proves: "`t` is the challenge's own time in hex, lower case.",
    cause: "Decimal, milliseconds, upper case or a leading `0x`; or the clock is read twice.",
    ...ofEveryCode<FastSite>(({ url, challenge }) => {
      const t = url.searchParams.get("t");
      const expected = Number(challenge.split("_").at(-1)).toString(16);
      if (t !== expected) fail(`t is ${JSON.stringify(t)} where the challenge is ${challenge}: ${expected}.`);
    }),
  },
  "1.6-url": {
    proves: "The code is this site's own webhook with `sid`, `c` and `t`, each once, and with nothing else.",
    cause: "`APP_URL` names another host or scheme than people open; or another path, which --webhook names.",
    ...ofEveryCode<FastSite>(({ qr, url }, { target: { origin, webhook } }) => {
      if (url.origin !== origin.origin) fail(`The code leads to ${url.origin} instead of ${origin.origin}.`);
      if (url.pathname !== webhook)
        fail(`The code names the path ${url.pathname}: --webhook says ${webhook}.`);
      const names = [...url.searchParams.keys()].toSorted().join();
      if (names !== "c,sid,t") fail(`The code's query names ${names}.`);
      if (url.href !== qr || url.hash !== "") fail(`The code is not written as a URL is: ${qr}.`);
    }),
  },
  "1.6-url-sid": {
    proves: "The code names the `sid` of its answer.",
    cause: "An internal identifier is put into the URL.",
    ...ofEveryCode<FastSite>(({ url, sid }) => {
      const named = url.searchParams.get("sid");
      if (named !== sid) fail(`The code names the sid ${named}, and its answer ${sid}.`);
    }),
  },
  "1.6-url-fixed": {
    proves: "The code leads to the site's own origin, whatever `Host` or `X-Forwarded-Host` a request names.",
    cause:
      "The origin is read from a header that the caller writes, so a poisoned answer leads wallets elsewhere.",
    run: ignoresForeignHosts(
      ({ qr }, { origin }) => typeof qr !== "string" || qr.startsWith(`${origin.origin}/`),
    ),
  },
  "6.1-answer": {
    proves:
      "The answer is JSON with `qr`, `sid` and the number `status`, which is 0 while nobody has signed in.",
    cause: "`status` is a text or true, or a field has another name.",
    async run(site) {
      const { answer } = await site.issue();
      const type = answer.headers["content-type"] ?? "of no type";
      if (!/^application\/json\b/.test(type)) fail(`The answer is ${type} instead of application/json.`);
      expectEqual(bodyOf(answer).status, 0, "`status`");
    },
  },
};

/** Expects the site to tell a browser that asks for a code that there is nothing to scan. */
async function expectNoCode(site: FastSite, browser: Browser, query?: Record<string, string>): Promise<void> {
  const { status, qr } = bodyOf(await site.askForCode(browser, query));
  if (status !== 1 || qr !== "")
    fail(`The answer has status ${JSON.stringify(status)} and qr ${JSON.stringify(qr)}.`);
}

export const FAST_CODE_CHECKS: Rules<FastSite> = {
  "6.1-new-login": {
    proves: "Without a `sid`, and with an empty one, `null` or `undefined`, a new login starts.",
    cause: "A script's `null` arrives as a text and is looked up, or adopted.",
    async run(site) {
      for (const sid of [undefined, "", "null", "undefined"]) {
        const code = await site.issue({ sid });
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
  "6.1-secret-not-adopted": adoptsNoSecret<FastSite>((site, browser) => site.issue({ browser })),
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
      const { status, sid } = bodyOf(await site.askForCode(undefined, { sid: code.sid }));
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

/** The cookie that binds a code's login to a browser. */
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
