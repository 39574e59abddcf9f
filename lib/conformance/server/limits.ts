import { type Check, fail, NotApplicable } from "../check.ts";
import type { Answer, Outgoing } from "../http-client.ts";
import { loginAnswers } from "./errors.ts";
import type { Site } from "./site.ts";

/** Section 2.4: a caller has a share. */

const A_MINUTE = 120;
const FAILED_SIGN_INS = 60;
/** A window may have begun anywhere, and other clients of the same address may have used some. */
const MARGIN = 10;

/** Sends until the site refuses. @throws {Failure} where it never does */
async function untilLimited(
  site: Site,
  limit: number,
  requestOf: (index: number) => Outgoing,
): Promise<Answer> {
  for (let index = 0; index < limit + MARGIN; index++) {
    const answer = await site.http.send({ ...requestOf(index), expectsLimit: true });
    if (answer.status === 429) return answer;
  }
  return fail(`${limit + MARGIN} requests within a minute were answered.`);
}

function expectRetryAfter({ headers, json, name }: Answer): void {
  const seconds = headers["retry-after"] ?? "";
  if (!/^[1-9]\d*$/.test(seconds)) fail(`The 429 of ${name} has Retry-After: ${seconds || "nothing"}.`);
  const { error } = (json ?? {}) as { error?: { code?: unknown; details?: { retry_after?: unknown } } };
  if (error?.code !== "rate_limited") fail(`The 429 of ${name} has the code ${JSON.stringify(error?.code)}.`);
  if (String(error.details?.retry_after) !== seconds) fail(`The 429 of ${name} has no details.retry_after.`);
}

/** Headers under which a proxy would name the client. */
function forgedAddress(index: number): Record<string, string> {
  const address = `198.51.${Math.floor(index / 250)}.${(index % 250) + 1}`;
  return { "X-Forwarded-For": address, "X-Real-IP": address, Forwarded: `for=${address}` };
}

export const LIMIT_CHECKS: readonly Check<Site>[] = [
  {
    id: "2.4-headers",
    level: "MUST",
    proves:
      "Limited endpoints say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`, and count down.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue(site.browser());
      const answers = [code.answer, await site.check(code.sid), await site.post("login", "{")];
      for (const { headers, name } of answers) {
        for (const header of ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]) {
          if (!/^\d+$/.test(headers[header] ?? ""))
            fail(`${name} says ${header}: ${headers[header] ?? "nothing"}.`);
        }
        if (Number(headers["ratelimit-remaining"]) >= Number(headers["ratelimit-limit"])) {
          fail(`${name} has as much left as before.`);
        }
      }
    },
  },
  {
    id: "2.4-retry-after",
    level: "MUST",
    proves: "A 429 says when to come back: `Retry-After`, and the same as `details.retry_after`.",
    cause: "The refusal is the limiter's own, or a proxy's.",
    looksBack: true,
    async run(site) {
      const limited = loginAnswers(site).filter(({ answer }) => answer.status === 429);
      if (limited.length === 0) throw new NotApplicable("This run met no limit; --limits looks for them.");
      for (const { answer } of limited) expectRetryAfter(answer);
    },
  },
  {
    id: "2.4-codes-limited",
    level: "MUST",
    proves: "One address gets at most 120 codes a minute, whatever addresses it claims.",
    cause: "Nothing counts, or the client is told apart by a header that the client writes.",
    locksOut: true,
    async run(site) {
      const { qr } = site.target;
      const answer = await untilLimited(site, A_MINUTE, (index) => ({
        path: `${qr}?mode=login`,
        headers: forgedAddress(index),
      }));
      expectRetryAfter(answer);
    },
  },
  {
    id: "2.4-responses-limited",
    level: "MUST",
    proves: "One address posts at most 120 wallet responses a minute, whatever addresses it claims.",
    cause: "Only pages are limited, so signatures can be tried without end.",
    locksOut: true,
    async run(site) {
      const answer = await untilLimited(site, A_MINUTE, (index) => ({
        method: "POST",
        path: site.webhook("login"),
        headers: { "Content-Type": "application/json", ...forgedAddress(index) },
        body: "{}",
      }));
      expectRetryAfter(answer);
    },
  },
  {
    id: "2.4-sign-ins-limited",
    level: "MUST",
    proves: "One address fails at most 60 sign-ins a minute.",
    cause: "The sign-in is the framework's own, and nothing counts in front of it.",
    locksOut: true,
    async run(site) {
      const browser = site.browser();
      for (let index = 0; index < FAILED_SIGN_INS + MARGIN; index++) {
        const { answer } = await browser.signIn("A".repeat(40), {}, { expectsLimit: true });
        if (answer.status === 429) return;
      }
      fail(`${FAILED_SIGN_INS + MARGIN} failed sign-ins within a minute were answered.`);
    },
  },
];
