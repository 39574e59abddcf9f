import { fail, type Rule } from "../check.ts";
import { CLOCK_TOLERANCE_SECONDS, ignoresForeignHosts, ofEveryCode } from "../flow/codes.ts";
import { partsOf } from "./code-parts.ts";
import type { Code, Site } from "./site.ts";

/** Section 1.1: how a challenge is written. */

/** Of so many random texts something repeats where anything repeats. */
const SAMPLES = 20;

export const CHALLENGE_FORMAT_CHECKS: readonly Rule<Site>[] = [
  ofEveryCode<Site>({
    id: "1.1-challenge-format",
    proves:
      "A challenge is `svc:{action}:{domain}:{timestamp}:{nonce}`: five parts, and a decimal timestamp.",
    cause:
      "Another separator, a port in the domain, milliseconds or ISO time for the timestamp, or a part too many.",
    judge(code) {
      const { scheme, timestamp, rest } = partsOf(code);
      if (scheme !== "svc" || rest.length > 0 || !/^[1-9]\d{8,10}$/.test(timestamp)) {
        fail(
          `The challenge is ${JSON.stringify(code.challenge)} instead of svc:{action}:{domain}:{Unix seconds}:{nonce}.`,
        );
      }
    },
  }),
  ofEveryCode<Site>({
    id: "1.1-challenge-action",
    proves: "The challenge names the action that the code was asked for.",
    cause: "The mode of the query is not passed on to what writes the challenge.",
    judge(code) {
      const { action } = code;
      if (partsOf(code).action !== action)
        fail(`mode=${action} gives the challenge ${code.challenge} instead of svc:${action}:….`);
    },
  }),
  ofEveryCode<Site>({
    id: "1.1-challenge-domain",
    proves: "The challenge names the site's own host name, in lower case and without a port.",
    cause:
      "The domain is taken from configuration of another environment, or from the `Host` header with its port.",
    judge(code, site) {
      const { hostname } = site.target.origin;
      const { domain } = partsOf(code);
      if (domain !== hostname)
        fail(`The domain is ${JSON.stringify(domain)} instead of the site's host name, ${hostname}.`);
    },
  }),
  {
    id: "1.1-challenge-domain-fixed",
    proves: "The domain is the site's own, whatever `Host` or `X-Forwarded-Host` a request names.",
    cause: "The domain is read from a header that the caller writes.",
    run: (site) =>
      ignoresForeignHosts(site, ({ challenge, qr }) => !`${challenge} ${qr}`.includes("evil.example")),
  },
  {
    id: "1.1-challenge-time",
    proves: "The challenge's timestamp is the time of its issue, in Unix seconds.",
    cause: "Milliseconds, another time zone, or the time when the login was started instead of the code's.",
    async run(site) {
      const code = await site.issue();
      judgeTime(code);
      await site.wait(CLOCK_TOLERANCE_SECONDS + 2);
      judgeTime(await site.issue(code.browser, code.sid));

      function judgeTime(issued: Code): void {
        const seconds = Number(partsOf(issued).timestamp);
        const server = issued.answer.date / 1000;
        if (!(Math.abs(seconds - server) <= CLOCK_TOLERANCE_SECONDS)) {
          fail(
            `The timestamp is ${partsOf(issued).timestamp} instead of ${Math.round(server)}, by the server's own Date header.`,
          );
        }
      }
    },
    waits: true,
  },
  ofEveryCode<Site>({
    id: "1.1-nonce",
    proves: "The nonce has 32 characters of `[A-Za-z0-9]`.",
    cause: "A UUID, hex or base64 of another length is used for the nonce.",
    judge(code) {
      const { nonce } = partsOf(code);
      if (!/^[A-Za-z0-9]{32}$/.test(nonce))
        fail(`The nonce is ${JSON.stringify(nonce)} instead of 32 characters of [A-Za-z0-9].`);
    },
  }),
  {
    id: "1.1-nonce-random",
    proves: "Nonces do not repeat and use the whole alphabet at every position, so nobody can guess one.",
    cause: "`Math.random`, a counter, a hash of the time, or hex digits padded to 32 characters.",
    looksBack: true,
    async run(site) {
      const nonces = (await site.manyCodes(SAMPLES)).map((code) => partsOf(code).nonce);
      if (new Set(nonces).size < nonces.length) fail("Two challenges have the same nonce.");
      const length = nonces[0]?.length ?? 0;
      for (let index = 0; index < length; index++) {
        const symbols = new Set(nonces.map((nonce) => nonce[index]));
        if (symbols.size < 4)
          fail(`Position ${index + 1} of the nonce is always one of ${[...symbols].join(" ")}.`);
      }
      for (const [index, nonce] of nonces.slice(1).entries()) {
        const before = nonces[index] ?? "";
        const same = [...nonce].filter((symbol, at) => symbol === before[at]).length;
        if (same > nonce.length / 2) fail(`Nonces look alike: ${before} and ${nonce}.`);
      }
      const used = new Set(nonces.join(""));
      // Of 62 symbols, 640 random ones leave out two or three at the very most.
      if (used.size < 52) fail(`${nonces.length} nonces use ${used.size} symbols of 62.`);
    },
  },
];
