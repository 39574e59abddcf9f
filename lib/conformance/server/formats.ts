import { Blocked, type Check, fail, NotApplicable } from "../check.ts";
import type { Browser } from "./browser.ts";
import { type Action, type Code, expectStatus, type Run, type Site } from "./site.ts";

/** Sections 1.1, 1.2, 1.7 and 3.1: what the site writes. */

const LIFETIME_SECONDS = 30;
/** A clock is judged by the `Date` header, which has whole seconds and may be a proxy's. */
const CLOCK_TOLERANCE_SECONDS = 5;
const SAMPLES = 20;
const ACTIONS: readonly Action[] = ["login", "register"];

/** A challenge's parts, however they look; docs/protocol.md#11-challenge. */
function partsOf({ challenge }: Pick<Code, "challenge">) {
  const [scheme = "", action = "", domain = "", timestamp = "", nonce = "", ...rest] = challenge.split(":");
  return { scheme, action, domain, timestamp, nonce, rest };
}

/** The payload's parameters by the names of the svc form; docs/protocol.md#12-qr-payload. */
function readPayload({ body }: Code) {
  const { qr } = body;
  if (typeof qr !== "string" || !URL.canParse(qr))
    throw new Blocked("`qr` is no URL, so nothing can be read from it.");
  const url = new URL(qr);
  if (!/^(svc|https?):$/.test(url.protocol)) throw new Blocked(`\`qr\` has another scheme: ${url.protocol}`);
  const isSvc = url.protocol === "svc:";
  const query = url.searchParams;
  return {
    ...{ url, isSvc, query, text: qr },
    session: query.getAll(isSvc ? "session" : "s"),
    challenge: query.getAll(isSvc ? "challenge" : "c"),
    webhook: isSvc ? (query.get("webhook") ?? "") : url.origin + url.pathname,
  };
}

/** Every code that the run was given; where it was given none, one of each action. */
async function givenCodes(site: Site): Promise<Run["codes"]> {
  for (const action of ACTIONS) {
    if (!site.run.codes.some((code) => code.action === action)) await site.issue(site.browser(), action);
  }
  return site.run.codes;
}

/** As many codes as it takes to see what repeats: those of the whole run, and some of its own. */
async function manyCodes(site: Site): Promise<Code[]> {
  while (site.run.codes.length < SAMPLES) await site.issue(site.browser());
  return site.run.codes;
}

/** What of texts cannot be told in advance, in bits: positions that vary, by the alphabet that they use. */
function unpredictableBits(texts: readonly string[]): number {
  const shortest = Math.min(...texts.map((text) => text.length));
  const columns = Array.from({ length: shortest }, (_, index) => new Set(texts.map((text) => text[index])));
  const symbols = texts.join("");
  const alphabet = /^[0-9-]*$/.test(symbols)
    ? 10
    : /^[0-9a-f-]*$/i.test(symbols)
      ? 16
      : /^[0-9a-z_-]*$/.test(symbols) || /^[0-9A-Z_-]*$/.test(symbols)
        ? 36
        : 64;
  return columns.filter((column) => column.size > 2).length * Math.log2(alphabet);
}

export const FORMAT_CHECKS: readonly Check<Site>[] = [
  {
    id: "1.1-challenge-format",
    level: "MUST",
    proves:
      "A challenge is `svc:{action}:{domain}:{timestamp}:{nonce}`: five parts, and a decimal timestamp.",
    cause:
      "Another separator, a port in the domain, milliseconds or ISO time for the timestamp, or a part too many.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { scheme, timestamp, rest } = partsOf(code);
        if (scheme !== "svc" || rest.length > 0 || !/^[1-9]\d{8,10}$/.test(timestamp)) {
          fail(`The challenge is ${JSON.stringify(code.challenge)}.`);
        }
      }
    },
  },
  {
    id: "1.1-challenge-action",
    level: "MUST",
    proves: "The challenge names the action that the code was asked for.",
    cause: "The mode of the query is not passed on to what writes the challenge.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { action } = code;
        if (partsOf(code).action !== action) fail(`mode=${action} gives the challenge ${code.challenge}.`);
      }
    },
  },
  {
    id: "1.1-challenge-domain",
    level: "MUST",
    proves: "The challenge names the site's own host name, in lower case and without a port.",
    cause:
      "The domain is taken from configuration of another environment, or from the `Host` header with its port.",
    looksBack: true,
    async run(site) {
      const { hostname } = site.target.origin;
      for (const code of await givenCodes(site)) {
        const { domain } = partsOf(code);
        if (domain !== hostname)
          fail(`The domain is ${JSON.stringify(domain)}, and the site is ${hostname}.`);
      }
    },
  },
  {
    id: "1.1-challenge-domain-fixed",
    level: "MUST",
    proves: "The domain is the site's own, whatever `Host` or `X-Forwarded-Host` a request names.",
    cause: "The domain is read from a header that the caller writes.",
    async run(site) {
      for (const name of ["X-Forwarded-Host", "Forwarded", "Host"]) {
        const headers = { [name]: name === "Forwarded" ? "host=evil.example" : "evil.example" };
        const browser = site.browser();
        const answer = await browser.send({ path: `${site.target.qr}?mode=login`, headers });
        // A server of many names may refuse a foreign one.
        if (answer.status >= 400) continue;
        const { challenge, qr } = (answer.json ?? {}) as Record<string, unknown>;
        if (`${challenge} ${qr}`.includes("evil.example")) {
          fail(`With the header ${JSON.stringify(headers)} the code is for evil.example.`);
        }
      }
    },
  },
  {
    id: "1.1-challenge-time",
    level: "MUST",
    proves: "The challenge's timestamp is the time of its issue, in Unix seconds.",
    cause: "Milliseconds, another time zone, or the time when the login was started instead of the code's.",
    async run(site) {
      const browser = site.browser();
      const code = await site.issue(browser);
      judgeTime(code);
      await site.wait(CLOCK_TOLERANCE_SECONDS + 2);
      judgeTime(await site.issue(browser, "login", code.sid));

      function judgeTime(issued: Code): void {
        const seconds = Number(partsOf(issued).timestamp);
        const server = issued.answer.date / 1000;
        if (!(Math.abs(seconds - server) <= CLOCK_TOLERANCE_SECONDS)) {
          fail(
            `The timestamp is ${partsOf(issued).timestamp}; the server's clock says ${Math.round(server)}.`,
          );
        }
      }
    },
    waits: true,
  },
  {
    id: "1.1-nonce",
    level: "MUST",
    proves: "The nonce has 32 characters of `[A-Za-z0-9]`.",
    cause: "A UUID, hex or base64 of another length is used for the nonce.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { nonce } = partsOf(code);
        if (!/^[A-Za-z0-9]{32}$/.test(nonce)) fail(`The nonce is ${JSON.stringify(nonce)}.`);
      }
    },
  },
  {
    id: "1.1-nonce-random",
    level: "MUST",
    proves: "Nonces do not repeat and use the whole alphabet at every position, so nobody can guess one.",
    cause: "`Math.random`, a counter, a hash of the time, or hex digits padded to 32 characters.",
    looksBack: true,
    async run(site) {
      const nonces = (await manyCodes(site)).map((code) => partsOf(code).nonce);
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
  {
    id: "1.2-payload",
    level: "MUST",
    proves: "`qr` is `svc://auth?…` or the https form, names no parameter twice, and carries no secret.",
    cause: "The payload is put together by hand, or holds the binding cookie's secret.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { qr } = code.body;
        if (typeof qr !== "string" || !URL.canParse(qr)) fail(`\`qr\` is ${JSON.stringify(qr)}.`);
        if (!/^(svc:\/\/auth\?|https?:)/.test(qr)) fail(`\`qr\` is ${qr}.`);
        const { query, text } = readPayload(code);
        if (!/^[!-~]{1,4096}$/.test(text) || text.includes("\\"))
          fail("`qr` has characters outside of visible ASCII.");
        const names = [...query.keys()];
        if (new Set(names).size < names.length) fail(`\`qr\` names a parameter twice: ${names.join(", ")}.`);
        for (const { name, value } of code.answer.cookies) {
          if (value.length >= 16 && decodeURIComponent(text).includes(value))
            fail(`\`qr\` holds the cookie ${name}.`);
        }
      }
    },
  },
  {
    id: "1.2-payload-webhook",
    level: "MUST",
    proves: "The payload's webhook is this site's own, for the action that was asked for.",
    cause:
      "`APP_URL` names another host or scheme than the one that people open, or both actions share a webhook.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { action } = code;
        const { webhook } = readPayload(code);
        const expected = site.target.origin.origin + site.webhook(action);
        if (webhook !== expected) fail(`The webhook is ${JSON.stringify(webhook)} instead of ${expected}.`);
      }
    },
  },
  {
    id: "1.2-payload-session",
    level: "MUST",
    proves: "The payload's session is the `sid` of the answer.",
    cause: "An internal identifier is put into the payload.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { session } = readPayload(code);
        if (session.length !== 1 || session[0] !== code.sid)
          fail(`The payload says ${session}, the answer ${code.sid}.`);
      }
    },
  },
  {
    id: "1.2-payload-challenge",
    level: "MUST",
    proves: "The payload's challenge is the `challenge` of the answer, to the letter.",
    cause: "The challenge is made twice, or encoded twice.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { challenge } = readPayload(code);
        if (challenge.length !== 1 || challenge[0] !== code.challenge) {
          fail(`The payload says ${challenge}, the answer ${code.challenge}.`);
        }
      }
    },
  },
  {
    id: "1.2-payload-ts",
    level: "MUST",
    proves: "The payload's `ts` is the challenge's timestamp.",
    cause: "The clock is read twice, or `ts` is the end of the code's life.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const { isSvc, query } = readPayload(code);
        const ts = query.getAll("ts");
        if (!isSvc && ts.length === 0) throw new NotApplicable("The https form has no `ts`.");
        if (ts.length !== 1 || ts[0] !== partsOf(code).timestamp) {
          fail(`\`ts\` is ${JSON.stringify(ts)}, and the challenge says ${partsOf(code).timestamp}.`);
        }
      }
    },
  },
  {
    id: "1.2-payload-page",
    level: "MUST",
    proves: "A browser that opens a code of the https form gets a page that explains it.",
    cause: "The webhook answers POST alone, so a phone's own camera leads to an error.",
    async run(site) {
      const { isSvc, url } = readPayload(await site.issue(site.browser()));
      if (isSvc) throw new NotApplicable("Codes of this site have the svc form.");
      const answer = await site.http.send({
        path: url.pathname + url.search,
        headers: { Accept: "text/html" },
      });
      expectStatus(answer, 200, "the code's own URL");
      if (!answer.headers["content-type"]?.startsWith("text/html"))
        fail("The code's own URL answers with no page.");
    },
  },
  {
    id: "1.7-sid-random",
    level: "MUST",
    proves: "Sids do not repeat, and 128 bits of each cannot be told from others.",
    cause: "A counter, a short random text, or an identifier made from the time.",
    looksBack: true,
    async run(site) {
      await manyCodes(site);
      const owners = new Map<string, Browser>();
      for (const { sid, browser } of site.run.codes) {
        const owner = owners.get(sid) ?? browser;
        if (!isOneBrowser(owner, browser)) fail("Two browsers were given the same sid.");
        owners.set(sid, owner);
      }
      const sids = [...owners.keys()];
      while (sids.length < SAMPLES / 2) sids.push((await site.issue(site.browser())).sid);
      const bits = unpredictableBits(sids);
      // A UUID of version 4 has 122.
      if (bits < 120) fail(`About ${Math.round(bits)} bits of a sid vary: ${sids.slice(-2).join(", ")}.`);
    },
  },
  {
    id: "3.1-answer",
    level: "MUST",
    proves:
      "A code is answered with 200 and JSON: `sid`, `challenge` and `qr` are texts, `expiresAt` is an integer.",
    cause: "A field has another name or type, or the content type is not `application/json`.",
    async run(site) {
      const answer = await site.askForCode(site.browser(), { mode: "login" });
      expectStatus(answer, 200, "a code");
      if (!/^application\/json\b/.test(answer.headers["content-type"] ?? ""))
        fail("The answer is not application/json.");
      const { sid, challenge, qr, expiresAt } = (answer.json ?? {}) as Record<string, unknown>;
      for (const [name, value] of Object.entries({ sid, challenge, qr })) {
        if (typeof value !== "string" || value === "") fail(`\`${name}\` is ${JSON.stringify(value)}.`);
      }
      if (!Number.isInteger(expiresAt)) fail(`\`expiresAt\` is ${JSON.stringify(expiresAt)}.`);
    },
  },
  {
    id: "3.1-answer-tells-no-more",
    level: "MUST",
    proves: "The answer to a code has the four documented fields and nothing else.",
    cause: "The whole row of the login is sent, with its user, its secret or the hash of it.",
    looksBack: true,
    async run(site) {
      const { body } = await site.issue(site.browser());
      const others = Object.keys(body).filter(
        (name) => !["sid", "challenge", "qr", "expiresAt"].includes(name),
      );
      if (others.length > 0) fail(`The answer has also ${others.join(", ")}.`);
    },
  },
  {
    id: "3.1-expires-at",
    level: "MUST",
    proves: "`expiresAt` is the end of this very challenge: 30 seconds after its timestamp, in Unix seconds.",
    cause: "Milliseconds, the end of the login session, or another lifetime than 30 seconds.",
    looksBack: true,
    async run(site) {
      for (const code of await givenCodes(site)) {
        const expected = Number(partsOf(code).timestamp) + LIFETIME_SECONDS;
        // Rounding may go either way.
        if (!(Math.abs(Number(code.body.expiresAt) - expected) <= 1)) {
          fail(`\`expiresAt\` is ${code.body.expiresAt} instead of ${expected}.`);
        }
      }
    },
  },
  {
    id: "3.1-mode-default",
    level: "MUST",
    proves: "A code that is asked for without a mode is for a login.",
    cause: "The mode is required, or has another default.",
    async run(site) {
      const answer = await site.askForCode(site.browser());
      expectStatus(answer, 200, "a code without a mode");
      const { challenge } = (answer.json ?? {}) as Record<string, unknown>;
      if (!String(challenge).startsWith("svc:login:")) fail(`Without a mode the challenge is ${challenge}.`);
    },
  },
  {
    id: "3.1-mode-unknown",
    level: "MUST",
    proves: "Another mode than login and register is refused with 400.",
    cause: "The mode is written into the challenge as it comes, or anything unknown counts as login.",
    async run(site) {
      for (const mode of ["admin", "LOGIN", "login:evil.example", "login register"]) {
        expectStatus(await site.askForCode(site.browser(), { mode }), 400, `mode=${mode}`);
      }
    },
  },
  {
    id: "3.6-intent-unknown",
    level: "MUST",
    proves: "A code with an intent that the site does not know is refused with 400.",
    cause: "The intent is ignored, so a page that asks for an approval signs somebody in instead.",
    async run(site) {
      const answer = await site.askForCode(site.browser(), { mode: "login", intent: "steal" });
      expectStatus(answer, 400, "an unknown intent");
    },
  },
  {
    id: "3.6-intent-of-a-stranger",
    level: "MUST",
    proves: "Nobody who is not signed in gets a code that adds a key or approves a change.",
    cause: "The intent is read before the browser session is.",
    async run(site) {
      for (const intent of ["add", "approve"]) {
        const answer = await site.askForCode(site.browser(), { mode: "login", intent });
        expectStatus(answer, [400, 401, 403], `intent=${intent} of a stranger`);
      }
    },
  },
];

/** Twins share their cookies. */
function isOneBrowser(one: Browser, other: Browser): boolean {
  const values = [...other.cookies.values()];
  return one === other || [...one.cookies.values()].some((value) => values.includes(value));
}
