import type { Browser } from "../browser.ts";
import { fail, type Rule, type Rules, runsLast } from "../check.ts";
import {
  expectEqual,
  expectNoCookie,
  expectNoOtherMembers,
  expectStatus,
  expectType,
} from "../expect-status.ts";
import * as binding from "../flow/binding.ts";
import { CLOCK_TOLERANCE_SECONDS, checkEveryCode, expectRandom, ignoresForeignHosts } from "../flow/codes.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { FastId } from "../texts/fast.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { toOtherCase } from "./signatures.ts";
import type { FastSite } from "./site.ts";

/**
 * Sections 1.6, 6.1 and 6.3: the contents of a code, the login and the browser that it belongs to, and the login's
 * status.
 */

const SAMPLES = 12;
/** `<random>_<unix>`, for sids and challenges. */
const TOKEN = /^([A-Za-z0-9]+)_([1-9][0-9]{8,10})$/;

const tokens = (what: "sid" | "challenge") =>
  checkEveryCode<FastSite>((code, { run }) => {
    const token = code[what];
    const seconds = Number(TOKEN.exec(token)?.[2] ?? Number.NaN);
    if (Number.isNaN(seconds)) fail(`The ${what} is ${JSON.stringify(token)}.`);
    const late = code.answer.date / 1000 - seconds;
    // The login might have started before this code was issued.
    const isRenewed = what === "sid" && run.codes.find(({ sid }) => sid === code.sid) !== code;
    if (Math.abs(late) > CLOCK_TOLERANCE_SECONDS && !(isRenewed && late > 0))
      fail(`The ${what} says ${seconds}, ${Math.round(late)} s from the time of its answer.`);
  });

const randomTokens = (what: "sid" | "challenge"): Rule<FastSite> =>
  runsLast(async (site) => {
    const knownValues = new Set((await site.collectCodes(SAMPLES)).map((code) => code[what]));
    const randoms = [...knownValues].map((token) => token.replace(/_[^_]*$/, ""));
    expectRandom(randoms, 62, `random strings of a ${what}`);
  });

export const FAST_FORMAT_CHECKS = {
  "1.6-sid": tokens("sid"),
  "1.6-challenge": tokens("challenge"),
  "1.6-sid-random": randomTokens("sid"),
  "1.6-challenge-random": randomTokens("challenge"),
  "1.6-time": checkEveryCode<FastSite>(({ url, challenge }) => {
    const expected = Number(challenge.split("_").at(-1)).toString(16);
    expectEqual(url.searchParams.get("t"), expected, `\`t\` for the challenge ${challenge}`);
  }),
  "1.6-url": checkEveryCode<FastSite>(({ qr, url }, { target: { origin, webhook } }) => {
    expectEqual(url.origin, origin.origin, "The origin in the code");
    expectEqual(url.pathname, webhook, "The path in the code, compared with --webhook,");
    expectEqual([...url.searchParams.keys()].toSorted().join(), "c,sid,t", "The code's query");
    if (url.href !== qr || url.hash !== "") fail(`The code is not written as a URL is: ${qr}.`);
  }),
  "1.6-url-sid": checkEveryCode<FastSite>(({ url, sid }) => {
    expectEqual(url.searchParams.get("sid"), sid, "The sid in the code");
  }),
  "1.6-url-fixed": ignoresForeignHosts(
    ({ qr }, { origin }) => typeof qr !== "string" || qr.startsWith(`${origin.origin}/`),
  ),
  async "6.1-answer"(site) {
    const { answer } = await site.issue();
    expectType(answer, "application/json", "the response");
    expectEqual(bodyOf(answer).status, 0, "`status`");
  },
} satisfies Rules<FastSite, FastId>;

async function expectNoCode(site: FastSite, browser: Browser, query?: Record<string, string>): Promise<void> {
  const { status, qr } = bodyOf(await site.askForCode(browser, query));
  if (status !== 1 || qr !== "")
    fail(`The response has status ${JSON.stringify(status)} and qr ${JSON.stringify(qr)}.`);
}

export const FAST_CODE_CHECKS = {
  async "6.1-new-login"(site) {
    for (const sid of [undefined, "", "null", "undefined"]) {
      const code = await site.issue({ sid });
      if (code.sid === "" || code.sid === sid)
        fail(`sid=${sid ?? ""} is answered with the sid "${code.sid}".`);
    }
  },
  "6.1-refresh": binding.renewsOwnLogin,
  "6.1-refresh-foreign": binding.renewsNoForeignLogin,
  "6.1-sid-not-adopted": binding.preventsSidFixation(
    ({ sid }) => `${"Q".repeat(sid.split("_")[0]?.length ?? 32)}_${Math.floor(Date.now() / 1000)}`,
  ),
  "6.1-secret-not-adopted": binding.preventsSecretFixation<FastSite>((site, browser) =>
    site.issue({ browser }),
  ),
  async "6.1-answered"(site) {
    const { browser, code } = await site.answerNewLogin();
    await expectNoCode(site, browser, { sid: code.sid });
    if (!(await site.isAnswered(code.sid))) fail("A new code request unanswers the login.");
  },
  async "6.1-answered-foreign"(site) {
    const { code } = await site.answerNewLogin();
    const { status, sid } = bodyOf(await site.askForCode(undefined, { sid: code.sid }));
    if (status !== 0 || sid === code.sid)
      fail(
        `For an answered login's sid another browser gets status ${JSON.stringify(status)} and sid ${sid}.`,
      );
  },
  async "6.1-signed-in"(site) {
    const { browser, code } = await site.answerNewLogin();
    if (!(await site.canSignIn(browser, code.sid))) fail("The browser is not signed in.");
    await expectNoCode(site, browser);
  },
  "6.1-intent-unknown": binding.ifIntentsSupported(binding.refusesQueries([{ intent: "conformance" }], 400)),
  "6.1-intent-of-a-stranger": binding.ifIntentsSupported(
    binding.refusesQueries(["add", "approve", "recover"].map((intent) => ({ intent }))),
  ),
  async "6.1-strange-sids"(site) {
    for (const sid of ["%00", "%ED%A0%80", "'%20OR%201=1--", "__proto__", "%25", "a&sid=b"]) {
      const answer = await site.http.send({ path: `${site.target.qr}?sid=${sid}` });
      if (answer.status >= 500) fail(`A code request with the sid ${sid} is answered ${answer.status}.`);
    }
  },
} satisfies Rules<FastSite, FastId>;

/** The cookie binds a login to the browser that started it. */
export const FAST_COOKIE_CHECKS = {
  async "6.1-cookie"(site) {
    const code = await site.issue();
    if (code.answer.cookies.length === 0)
      fail("The response with the code does not set a cookie, so anyone who sees the code can sign in.");
    binding.expectHostOnlyCookie(binding.bindingOf(code));
  },
  "6.1-cookie-httponly": binding.cookieIsHttpOnly,
  "6.1-cookie-samesite": binding.cookieIsLax,
  "6.1-cookie-secure": binding.cookieIsSecure,
  "6.1-cookie-lifetime": binding.cookieIsShortLived,
  "6.1-secret": binding.secretIsRandom,
} satisfies Rules<FastSite, FastId>;

function expectLogin(answer: Answer, sid: string, status: 0 | 1, what: string): void {
  expectStatus(answer, 200, what);
  const body = bodyOf(answer);
  const expected = JSON.stringify({ sid, status });
  if (body.status !== status || body.sid !== sid)
    fail(`${what}: the response is ${answer.text.slice(0, 200)} instead of ${expected}.`);
}

export const FAST_STATUS_CHECKS = {
  async "6.3-waiting"(site) {
    const { browser, sid } = await site.issue();
    expectLogin(await site.check(sid, browser), sid, 0, "the status of an unanswered login");
  },
  async "6.3-answered"(site) {
    const { browser, code } = await site.answerNewLogin();
    expectLogin(await site.check(code.sid, browser), code.sid, 1, "the status of an answered login");
    expectLogin(await site.check(code.sid), code.sid, 1, "another browser's status of an answered login");
  },
  async "6.3-refused"(site) {
    const code = await site.issue();
    await site.respond(code, undefined, site.foreignSignature(code));
    await site.postForm(site.webhookOf(code), new BitcoinWallet().fields("another message"));
    expectLogin(await site.check(code.sid), code.sid, 0, "the status of a login after refused responses");
  },
  async "6.3-tells-no-more"(site) {
    const { code, wallet } = await site.answerNewLogin();
    const waiting = await site.issue();
    for (const { sid } of [code, waiting]) {
      const answer = await site.check(sid);
      expectNoOtherMembers(answer.json, ["sid", "status"], "The response to a different browser");
      expectNoCookie(answer, "The response to a different browser");
      if (answer.text.includes(wallet.address)) fail("The status shows another browser the user's address.");
    }
  },
  async "6.3-unknown"(site) {
    const { code } = await site.answerNewLogin();
    const { sid } = code;
    const nearly = [sid.slice(0, -1), sid.slice(1), `${sid}0`, toOtherCase(sid)];
    const strange = ["nobody", "%", "_", "' OR 1=1 --", "__proto__", `${"A".repeat(32)}_1700000000`];
    for (const other of [...strange, ...nearly]) {
      const answer = await site.check(other);
      // A site may refuse a text that is not a valid sid.
      if (answer.status === 400) continue;
      expectLogin(answer, other, 0, `the status of the sid ${JSON.stringify(other)}`);
    }
  },
} satisfies Rules<FastSite, FastId>;
