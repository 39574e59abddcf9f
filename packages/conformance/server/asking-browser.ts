import { exhaustsLimits, fail, type Rules, skip, startsEarly } from "../check.ts";
import {
  changeLastCharacter,
  expectCloseTo,
  expectEqual,
  expectIsoTime,
  expectMatch,
  expectNoCookie,
  expectNoOtherMembers,
  expectStatus,
  expectType,
} from "../expect-status.ts";
import { CLOCK_TOLERANCE_SECONDS, LIFETIME_SECONDS } from "../flow/codes.ts";
import { expectAnyOrigin, isLimited } from "../flow/headers.ts";
import { type Answer, bodyOf, membersOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import { requestApprovalCode } from "./responses.ts";
import type { Action, Code, Site } from "./site.ts";

/** Section 11.1. Describing the browser that requested a code is optional for a site. */

const MEMBERS = ["domain", "action", "intent", "asked_at", "expires_at", "browser", "network"];
/** Longer names are not shown by wallets (docs/wallet.md). */
const NAME_CHARACTERS = 100;
const PAGE_TYPES = ["text/html", "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"];
const JSON_TYPE = { Accept: "application/json" };

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const NOT_DESCRIBED = "The site does not describe the asking browser, which is optional (see 11.1-told).";

type Question = Pick<Code, "sid" | "challenge"> & { action?: Action };

function ask(
  site: Site,
  { sid, challenge, action = "login" }: Question,
  headers: Record<string, string> = JSON_TYPE,
  expectsLimit?: true,
): Promise<Answer> {
  const path = `${site.webhook(action)}?${new URLSearchParams({ s: sid, c: challenge })}`;
  return site.http.send({ path, headers, expectsLimit });
}

function askingIn(answer: Answer): Record<string, unknown> | null {
  const isJson = /^application\/json\b/.test(answer.headers["content-type"] ?? "");
  const members = bodyOf(answer);
  return answer.status === 200 && isJson && "browser" in members ? members : null;
}

/** @throws {NotApplicableError} if the site does not describe codes */
async function detailsOf(site: Site, code: Question): Promise<Record<string, unknown>> {
  const members = askingIn(await ask(site, code));
  if (members === null) skip(NOT_DESCRIBED);
  return members;
}

/**
 * Replaced if it has expired.
 * @throws {NotApplicableError} if the site does not describe codes
 */
async function sharedCode(site: Site): Promise<Code> {
  const shown = await site.run.shown;
  if (shown && askingIn(await ask(site, shown)) !== null) return shown;
  site.run.shown = site.issue();
  const code = await site.run.shown;
  await detailsOf(site, code);
  return code;
}

export function expectBrowserName(members: Record<string, unknown>, expected = ""): void {
  const { name } = membersOf(members.browser);
  const isShown = typeof name === "string" && name !== "" && name.length <= NAME_CHARACTERS;
  if (!isShown || /[\p{C}\p{Zl}\p{Zp}]/u.test(name) || !name.includes(expected))
    fail(
      `${expected || "A browser"} is named ${JSON.stringify(name)?.slice(0, 200)} instead of a plain text of at most ${NAME_CHARACTERS} characters${expected && ` with ${expected} in it`}.`,
    );
}

export const ASKING_BROWSER_CHECKS = {
  async "11.1-told"(site) {
    const answer = await ask(site, await site.issue());
    if (askingIn(answer) === null)
      fail(
        `The site does not describe the asking browser: ${answer.name} answers ${answer.status}. That is optional. With it, users can see a stranger's browser before they sign.`,
      );
  },
  async "11.1-code"(site) {
    for (const action of ["login", "register"] as const) {
      const code = await site.issue({ action });
      const { domain, action: describedAction, intent } = await detailsOf(site, code);
      expectEqual(domain, site.target.origin.hostname, "`domain`");
      expectEqual(describedAction, action, `\`action\` of a ${action} code`);
      expectEqual(intent, null, "`intent` of a code without one");
    }
  },
  async "11.1-intent"(site) {
    await sharedCode(site);
    const code = await requestApprovalCode(site, await site.knownBrowser());
    expectEqual((await detailsOf(site, code)).intent, "approve", "`intent` of a code to approve with");
  },
  async "11.1-times"(site) {
    const first = await sharedCode(site);
    for (const code of [first, await site.renew(first)]) {
      const { asked_at: askedAt, expires_at: expires } = await detailsOf(site, code);
      expectIsoTime(askedAt, "`asked_at`");
      expectIsoTime(expires, "`expires_at`");
      const lifeMs = Date.parse(expires) - Date.parse(askedAt);
      expectEqual(lifeMs / 1000, LIFETIME_SECONDS, "The time from `asked_at` to `expires_at`, in seconds,");
      const lateMs = Date.parse(askedAt) - code.answer.date;
      const what = "The time from the request for the code to `asked_at`, in seconds,";
      expectCloseTo(lateMs / 1000, 0, CLOCK_TOLERANCE_SECONDS, what);
    }
  },
  async "11.1-browser"(site) {
    expectBrowserName(await detailsOf(site, await sharedCode(site)));
    expectBrowserName(await detailsOf(site, await site.issueFor(FIREFOX)), "Firefox");
    const long = `Mozilla/5.0 ${"Firefox/140.0 ".repeat(100)}`;
    expectBrowserName(await detailsOf(site, await site.issueFor(long)));
  },
  async "11.1-network"(site) {
    const { network } = await detailsOf(site, await sharedCode(site));
    expectMatch(network, /^(same|unknown)$/, "At one address `network`", '"same" or "unknown"');
  },
  async "11.1-tells-no-more"(site) {
    const shown = await sharedCode(site);
    for (const code of [shown, await site.issue({ browser: await site.knownBrowser() })]) {
      const members = await detailsOf(site, code);
      expectNoOtherMembers(members, MEMBERS, "The response");
      expectNoOtherMembers(members.browser, ["name"], "`browser`");
    }
  },
  async "11.1-no-cookie"(site) {
    expectNoCookie(await ask(site, await sharedCode(site)), "A GET about a code");
  },
  async "11.1-spends-nothing"(site) {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    await detailsOf(site, code);
    expectStatus(await ask(site, code), 200, "a second GET about the code");
    await site.expectPending(code.sid, "a GET about the code");
    expectStatus(await site.respond(code, wallet), 200, "a response after two GETs");
  },
  async "11.1-any-origin"(site) {
    const code = await sharedCode(site);
    expectAnyOrigin(await ask(site, code));
    expectAnyOrigin(await ask(site, { ...code, challenge: `${code.challenge}x` }));
  },
  async "11.1-other-codes"(site) {
    const code = await sharedCode(site);
    const { sid } = await site.issue();
    for (const [what, asked] of [
      [
        "a GET whose challenge has another last letter",
        { ...code, challenge: changeLastCharacter(code.challenge) },
      ],
      ["a GET without a challenge", { ...code, challenge: "" }],
      ["a GET with another login's sid", { ...code, sid }],
      ["a GET with an unknown sid", { ...code, sid: "A".repeat(code.sid.length) }],
      ["a GET at the other webhook", { ...code, action: "register" }],
    ] as const)
      expectStatus(await ask(site, asked), 408, what);
    expectStatus(await ask(site, code), 200, "a correct GET after those");
  },
  async "11.1-answered"(site) {
    await sharedCode(site);
    const { code } = await site.answerNewCode();
    expectStatus(await ask(site, code), 408, "a GET about an answered code");
  },
  "11.1-expired": startsEarly(async (site) => {
    const code = await site.issue();
    await detailsOf(site, code);
    await site.wait(LIFETIME_SECONDS + 1);
    expectStatus(await ask(site, code), 408, "a GET about a code that is 31 seconds old");
  }),
  async "11.1-page"(site) {
    const code = await sharedCode(site);
    for (const Accept of PAGE_TYPES) {
      const answer = await ask(site, code, { Accept });
      expectStatus(answer, 200, `a GET with Accept: ${Accept}`);
      expectType(answer, "text/html", `the response to Accept: ${Accept}`);
    }
  },
  "11.1-limited": exhaustsLimits(async (site) => {
    // The action `register` uses up the register webhook's limit. The login webhook's limit remains for the responses
    // of wallets.
    const unknownCode = { sid: "A".repeat(40), challenge: "A", action: "register" } as const;
    if ((await ask(site, unknownCode)).status !== 408) skip(NOT_DESCRIBED);
    await isLimited<Site>(
      120,
      (_, { headers, expectsLimit }) => ask(site, unknownCode, { ...JSON_TYPE, ...headers }, expectsLimit),
      "questions",
    ).run(site);
  }),
} satisfies Rules<Site, SiteId>;
