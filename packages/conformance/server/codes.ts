import type { Browser } from "../browser.ts";
import { block, fail, type Rules, runsLast, skip, startsEarly } from "../check.ts";
import {
  expectCloseTo,
  expectEqual,
  expectInteger,
  expectMatch,
  expectNoOtherMembers,
  expectStatus,
  expectType,
} from "../expect-status.ts";
import { ifIntentsSupported, refusesQueries } from "../flow/binding.ts";
import {
  CLOCK_TOLERANCE_SECONDS,
  checkEveryCode,
  expectDistinct,
  expectRandom,
  ignoresForeignHosts,
  LIFETIME_SECONDS,
  splitChallenge,
} from "../flow/codes.ts";
import { bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import type { Code, Site } from "./site.ts";

/**
 * Sections 1.1, 1.2, 1.7, 3.1 and 3.6: the format of a challenge, the contents of the QR code, and the site's responses
 * when a page requests a code.
 */

export const SAMPLE_COUNT = 20;

/**
 * The parameters have the names of the svc form, even if the payload has the HTTPS form
 * (docs/protocol.md#12-qr-payload).
 */
export function readPayload({ body }: Code) {
  const { qr } = body;
  if (typeof qr !== "string" || !URL.canParse(qr)) block("`qr` is not a URL, so it cannot be read");
  const url = new URL(qr);
  if (!/^(svc|https?):$/.test(url.protocol))
    block("The scheme of `qr` is neither svc nor https", `it is ${url.protocol}`);
  const isSvc = url.protocol === "svc:";
  const query = url.searchParams;
  return {
    ...{ url, isSvc, query, text: qr },
    session: query.getAll(isSvc ? "session" : "s"),
    challenge: query.getAll(isSvc ? "challenge" : "c"),
    webhook: isSvc ? (query.get("webhook") ?? "") : url.origin + url.pathname,
  };
}

function expectTime(code: Code): void {
  const timestamp = Number(splitChallenge(code).timestamp);
  const what = "The timestamp, compared with the server's own Date header,";
  expectCloseTo(timestamp, code.answer.date / 1000, CLOCK_TOLERANCE_SECONDS, what);
}

/** A copy of a browser has the same cookies. */
function isSameBrowser(one: Browser, other: Browser): boolean {
  const values = [...other.cookies.values()];
  return one === other || [...one.cookies.values()].some((value) => values.includes(value));
}

export const CODE_CHECKS = {
  "1.1-challenge-format": checkEveryCode<Site>(({ challenge }) => {
    const form = /^svc:[^:]*:[^:]*:[1-9]\d{8,10}:[^:]*$/;
    expectMatch(challenge, form, "The challenge", "svc:{action}:{domain}:{Unix seconds}:{nonce}");
  }),
  "1.1-challenge-action": checkEveryCode<Site>((code) => {
    const { action } = code;
    expectEqual(splitChallenge(code).action, action, `The action of the challenge for mode=${action}`);
  }),
  "1.1-challenge-domain": checkEveryCode<Site>((code, site) => {
    expectEqual(splitChallenge(code).domain, site.target.origin.hostname, "The domain");
  }),
  "1.1-challenge-domain-fixed": ignoresForeignHosts(
    ({ challenge, qr }) => !`${challenge} ${qr}`.includes("evil.example"),
  ),
  "1.1-challenge-time": startsEarly(async (site) => {
    const code = await site.issue();
    expectTime(code);
    await site.wait(CLOCK_TOLERANCE_SECONDS + 2);
    expectTime(await site.issue(code));
  }),
  "1.1-nonce": checkEveryCode<Site>((code) => {
    expectMatch(splitChallenge(code).nonce, /^[A-Za-z0-9]{32}$/, "The nonce", "32 characters of [A-Za-z0-9]");
  }),
  "1.1-nonce-random": runsLast(async (site) => {
    const nonces = (await site.collectCodes(SAMPLE_COUNT)).map((code) => splitChallenge(code).nonce);
    if (new Set(nonces).size < nonces.length) fail("Two challenges have the same nonce.");
    const length = nonces[0]?.length ?? 0;
    for (let index = 0; index < length; index++) {
      const symbols = new Set(nonces.map((nonce) => nonce[index]));
      if (symbols.size < 4)
        fail(`Position ${index + 1} of the nonce is always one of ${[...symbols].join(" ")}.`);
    }
    expectDistinct(nonces, "Nonces");
    const used = new Set(nonces.join(""));
    // 640 random characters almost always contain all 62 symbols.
    if (used.size < 52) fail(`${nonces.length} nonces use ${used.size} symbols of 62.`);
  }),
  "1.2-payload": checkEveryCode<Site>((code) => {
    expectMatch(code.body.qr, /^(svc:\/\/auth\?|https?:\/\/[^/?#])/, "`qr`", "svc://auth?… or an https URL");
    const { query, text } = readPayload(code);
    if (!/^[!-~]{1,4096}$/.test(text) || text.includes("\\"))
      fail("`qr` has characters outside of visible ASCII.");
    const names = [...query.keys()];
    if (new Set(names).size < names.length) fail(`\`qr\` names a parameter twice: ${names.join(", ")}.`);
    for (const { name, value } of code.answer.cookies) {
      if (value.length >= 16 && decodeURIComponent(text).includes(value))
        fail(`\`qr\` holds the cookie ${name}.`);
    }
  }),
  "1.2-payload-webhook": checkEveryCode<Site>((code, site) => {
    const expected = site.target.origin.origin + site.webhook(code.action);
    expectEqual(readPayload(code).webhook, expected, "The webhook");
  }),
  "1.2-payload-session": checkEveryCode<Site>((code) => {
    expectEqual(readPayload(code).session.join(), code.sid, "The payload's session");
  }),
  "1.2-payload-challenge": checkEveryCode<Site>((code) => {
    expectEqual(readPayload(code).challenge.join(), code.challenge, "The payload's challenge");
  }),
  "1.2-payload-ts": checkEveryCode<Site>((code) => {
    const { isSvc, query } = readPayload(code);
    const ts = query.getAll("ts");
    if (!isSvc && ts.length === 0) skip("The https form has no `ts`.");
    expectEqual(ts.join(), splitChallenge(code).timestamp, "`ts`");
  }),
  async "1.2-payload-page"(site) {
    const { isSvc, url } = readPayload(await site.issue());
    if (isSvc) skip("Codes of this site have the svc form.");
    const path = url.pathname + url.search;
    const answer = await site.http.send({ path, headers: { Accept: "text/html" } });
    expectStatus(answer, 200, "a GET of the code's own URL");
    expectType(answer, "text/html", "a GET of the code's own URL");
  },
  "1.7-sid-random": runsLast(async (site) => {
    await site.collectCodes(SAMPLE_COUNT);
    const owners = new Map<string, Browser>();
    for (const { sid, browser } of site.run.codes) {
      const owner = owners.get(sid) ?? browser;
      if (!isSameBrowser(owner, browser)) fail("Two browsers get the same sid.");
      owners.set(sid, owner);
    }
    const sids = [...owners.keys()];
    while (sids.length < SAMPLE_COUNT / 2) sids.push((await site.issue()).sid);
    expectRandom(sids, 64, "sids");
  }),
  async "3.1-answer"(site) {
    const answer = await site.askForCode(undefined, { mode: "login" });
    expectStatus(answer, 200, "a request for a code");
    expectType(answer, "application/json", "the response");
    const body = bodyOf(answer);
    for (const name of ["sid", "challenge", "qr"]) expectMatch(body[name], /./, `\`${name}\``, "a text");
    expectInteger(body.expiresAt, "`expiresAt`");
  },
  "3.1-answer-tells-no-more": checkEveryCode<Site>(({ body }) =>
    expectNoOtherMembers(body, ["sid", "challenge", "qr", "expiresAt"], "The response"),
  ),
  "3.1-expires-at": checkEveryCode<Site>((code) => {
    const expected = Number(splitChallenge(code).timestamp) + LIFETIME_SECONDS;
    // The site can round up or down.
    expectCloseTo(Number(code.body.expiresAt), expected, 1, "`expiresAt`");
  }),
  async "3.1-mode-default"(site) {
    const answer = await site.askForCode();
    expectStatus(answer, 200, "a request for a code without a mode");
    expectMatch(bodyOf(answer).challenge, /^svc:login:/, "Without a mode the challenge", "svc:login:…");
  },
  "3.1-mode-unknown": refusesQueries(
    ["admin", "LOGIN", "login:evil.example", "login register"].map((mode) => ({ mode })),
    400,
  ),
  "3.6-intent-unknown": ifIntentsSupported(refusesQueries([{ mode: "login", intent: "steal" }], 400)),
  "3.6-intent-of-a-stranger": ifIntentsSupported(
    refusesQueries(
      ["add", "approve"].map((intent) => ({ mode: "login", intent })),
      [400, 401, 403],
    ),
  ),
} satisfies Rules<Site, SiteId>;
