import { fail, type Rule, type Rules } from "../check.ts";
import { expectEqual } from "../expect-status.ts";
import {
  CLOCK_TOLERANCE_SECONDS,
  ignoresForeignHosts,
  ofEveryCode,
  unpredictableBits,
} from "../flow/codes.ts";
import type { FastSite } from "./site.ts";

/** Sections 1.6 and 6.1: what a site writes into a code. */

const SAMPLES = 12;
/** A UUID of version 4 has 122 random bits. */
const RANDOM_BITS = 120;
/** `<random>_<unix>`. */
const TOKEN = /^([A-Za-z0-9]+)_([1-9][0-9]{8,10})$/;

/** A sid or a challenge has its form, and a time that is the server's. */
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
      const { headers, json } = (await site.issue()).answer;
      const type = headers["content-type"] ?? "of no type";
      if (!/^application\/json\b/.test(type)) fail(`The answer is ${type} instead of application/json.`);
      expectEqual((json as { status?: unknown }).status, 0, "`status`");
    },
  },
};
