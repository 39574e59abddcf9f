import { fail, type Rule } from "../check.ts";
import {
  CLOCK_TOLERANCE_SECONDS,
  ignoresForeignHosts,
  ofEveryCode,
  unpredictableBits,
} from "../flow/codes.ts";
import type { FastCode, FastSite } from "./site.ts";

/** Sections 1.6 and 6.1: what a site writes into a code. */

const SAMPLES = 12;
/** A UUID of version 4 has 122 random bits. */
const RANDOM_BITS = 120;
/** `<random>_<unix>`. */
const TOKEN = /^([A-Za-z0-9]+)_([1-9][0-9]{8,10})$/;

/** A check that sids or challenges have their form, and a time that is the server's. */
function tokenCheck(
  id: string,
  what: string,
  timeOf: string,
  tokenOf: (code: FastCode) => string,
): Rule<FastSite> {
  return {
    ...{ id, looksBack: true },
    proves: `A ${what} is a random string, an underscore and Unix seconds: ${timeOf}.`,
    cause: "A UUID, another separator, milliseconds, or a clock that is wrong.",
    async run(site) {
      for (const code of await site.givenCodes()) {
        const token = tokenOf(code);
        const seconds = Number(TOKEN.exec(token)?.[2] ?? Number.NaN);
        if (Number.isNaN(seconds)) fail(`The ${what} is ${JSON.stringify(token)}.`);
        const late = code.answer.date / 1000 - seconds;
        // A login may have been started before this code of it.
        const isRenewed = what === "sid" && site.run.codes.find(({ sid }) => sid === code.sid) !== code;
        if (Math.abs(late) > CLOCK_TOLERANCE_SECONDS && !(isRenewed && late > 0)) {
          fail(`The ${what} says ${seconds}, ${Math.round(late)} s from the time of its answer.`);
        }
      }
    },
  };
}

/** A check that tokens cannot be guessed. */
function randomCheck(id: string, what: string, tokenOf: (code: FastCode) => string): Rule<FastSite> {
  return {
    ...{ id, looksBack: true },
    proves: `Nobody can guess a ${what}: its random string has 128 bits, and none comes twice.`,
    cause: "`Math.random`, a counter, a hash of the time, or a text that is too short.",
    async run(site) {
      const tokens = [...new Set((await site.manyCodes(SAMPLES)).map(tokenOf))];
      const randoms = tokens.map((token) => token.replace(/_[^_]*$/, ""));
      if (new Set(randoms).size < randoms.length) fail(`Two ${what}s have the same random string.`);
      const bits = unpredictableBits(randoms, 62);
      if (bits < RANDOM_BITS) fail(`Of ${randoms.length} ${what}s some ${Math.round(bits)} bits differ.`);
    },
  };
}

export const FAST_FORMAT_CHECKS: readonly Rule<FastSite>[] = [
  tokenCheck("1.6-sid", "sid", "the time when the login was started", ({ sid }) => sid),
  tokenCheck("1.6-challenge", "challenge", "the time when it was issued", ({ challenge }) => challenge),
  randomCheck("1.6-sid-random", "sid", ({ sid }) => sid),
  randomCheck("1.6-challenge-random", "challenge", ({ challenge }) => challenge),
  ofEveryCode<FastSite>({
    id: "1.6-time",
    proves: "`t` is the challenge's own time in hex, lower case.",
    cause: "Decimal, milliseconds, upper case or a leading `0x`; or the clock is read twice.",
    judge({ url, challenge }) {
      const t = url.searchParams.get("t");
      const expected = Number(challenge.split("_").at(-1)).toString(16);
      if (t !== expected) fail(`t is ${JSON.stringify(t)} where the challenge is ${challenge}: ${expected}.`);
    },
  }),
  ofEveryCode<FastSite>({
    id: "1.6-url",
    proves: "The code is this site's own webhook with `sid`, `c` and `t`, each once, and with nothing else.",
    cause: "`APP_URL` names another host or scheme than people open; or another path, which --webhook names.",
    judge({ qr, url }, site) {
      const { origin, webhook } = site.target;
      if (url.origin !== origin.origin) fail(`The code leads to ${url.origin} instead of ${origin.origin}.`);
      if (url.pathname !== webhook)
        fail(`The code names the path ${url.pathname}: --webhook says ${webhook}.`);
      const names = [...url.searchParams.keys()].toSorted().join();
      if (names !== "c,sid,t") fail(`The code's query names ${names}.`);
      if (url.href !== qr || url.hash !== "") fail(`The code is not written as a URL is: ${qr}.`);
    },
  }),
  ofEveryCode<FastSite>({
    id: "1.6-url-sid",
    proves: "The code names the `sid` of its answer.",
    cause: "An internal identifier is put into the URL.",
    judge({ url, sid }) {
      const named = url.searchParams.get("sid");
      if (named !== sid) fail(`The code names the sid ${named}, and its answer ${sid}.`);
    },
  }),
  {
    id: "1.6-url-fixed",
    proves: "The code leads to the site's own origin, whatever `Host` or `X-Forwarded-Host` a request names.",
    cause:
      "The origin is read from a header that the caller writes, so a poisoned answer leads wallets elsewhere.",
    run: (site) =>
      ignoresForeignHosts(
        site,
        ({ qr }) => typeof qr !== "string" || qr.startsWith(`${site.target.origin.origin}/`),
      ),
  },
  {
    id: "6.1-answer",
    proves:
      "The answer is JSON with `qr`, `sid` and the number `status`, which is 0 while nobody has signed in.",
    cause: "`status` is a text or true, or a field has another name.",
    async run(site) {
      const { answer } = await site.issue();
      if (!/^application\/json\b/.test(answer.headers["content-type"] ?? ""))
        fail(`The answer is ${answer.headers["content-type"] ?? "of no type"} instead of application/json.`);
      const { status } = answer.json as { status?: unknown };
      if (status !== 0) fail(`\`status\` is ${JSON.stringify(status)} instead of 0.`);
    },
  },
];
