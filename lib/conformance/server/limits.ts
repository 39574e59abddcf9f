import { fail, NotApplicable, type Rule } from "../check.ts";
import type { Answer } from "../http-client.ts";
import { expectCounted, expectRetryAfter, forgedAddress, untilLimited } from "../rate-limits.ts";
import { loginAnswers } from "./errors.ts";
import type { Site } from "./site.ts";

/** Section 2.4: a caller has a share. */

const A_MINUTE = 120;
const FAILED_SIGN_INS = 60;

function expectRefusal(answer: Answer): void {
  expectRetryAfter(answer);
  const { error } = (answer.json ?? {}) as { error?: { code?: unknown } };
  if (error?.code !== "rate_limited")
    fail(`The 429 of ${answer.name} has the code ${JSON.stringify(error?.code)}.`);
}

export const LIMIT_CHECKS: readonly Rule<Site>[] = [
  {
    id: "2.4-headers",
    proves:
      "Limited endpoints say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`, and count down.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue(site.browser());
      const answers = [code.answer, await site.check(code.sid), await site.post("login", "{")];
      for (const answer of answers) expectCounted(answer);
    },
  },
  {
    id: "2.4-retry-after",
    proves: "A 429 says when to come back: `Retry-After`, and the same as `details.retry_after`.",
    cause: "The refusal is the limiter's own, or a proxy's.",
    looksBack: true,
    async run(site) {
      const limited = loginAnswers(site).filter(({ answer }) => answer.status === 429);
      if (limited.length === 0) throw new NotApplicable("This run met no limit; --limits looks for them.");
      for (const { answer } of limited) expectRefusal(answer);
    },
  },
  {
    id: "2.4-codes-limited",
    proves: "One address gets at most 120 codes a minute, whatever addresses it claims.",
    cause: "Nothing counts, or the client is told apart by a header that the client writes.",
    locksOut: true,
    async run(site) {
      const { qr } = site.target;
      const path = `${qr}?mode=login`;
      const answer = await untilLimited(A_MINUTE, (index) =>
        site.http.send({ path, headers: forgedAddress(index), expectsLimit: true }),
      );
      expectRefusal(answer);
    },
  },
  {
    id: "2.4-responses-limited",
    proves: "One address posts at most 120 wallet responses a minute, whatever addresses it claims.",
    cause: "Only pages are limited, so signatures can be tried without end.",
    locksOut: true,
    async run(site) {
      const answer = await untilLimited(A_MINUTE, (index) =>
        site.http.send({
          ...{ method: "POST", path: site.webhook("login"), body: "{}", expectsLimit: true },
          headers: { "Content-Type": "application/json", ...forgedAddress(index) },
        }),
      );
      expectRefusal(answer);
    },
  },
  {
    id: "2.4-sign-ins-limited",
    proves: "One address fails at most 60 sign-ins a minute.",
    cause: "The sign-in is the framework's own, and nothing counts in front of it.",
    locksOut: true,
    async run(site) {
      const browser = site.browser();
      await untilLimited(
        FAILED_SIGN_INS,
        async () => (await browser.signIn("A".repeat(40), {}, { expectsLimit: true })).answer,
        "failed sign-ins",
      );
    },
  },
];
