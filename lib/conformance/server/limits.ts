import type { Rule } from "../check.ts";
import { expectCounted, forgedAddress, saysWhenToComeBack, untilLimited } from "../flow/limits.ts";
import type { Site } from "./site.ts";

/** Section 2.4: a caller has a share. */

export const LIMIT_CHECKS: readonly Rule<Site>[] = [
  {
    id: "2.4-headers",
    proves:
      "Limited endpoints say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`, and count down.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(site) {
      const code = await site.issue();
      expectCounted(code.answer);
      expectCounted(await site.check(code.sid));
      expectCounted(await site.post(site.webhook("login"), "{"));
    },
  },
  {
    id: "2.4-retry-after",
    proves: "A 429 says when to come back: `Retry-After`, and the same as `details.retry_after`.",
    cause: "The refusal is the limiter's own, or a proxy's.",
    looksBack: true,
    run: saysWhenToComeBack,
  },
  {
    id: "2.4-codes-limited",
    proves: "One address gets at most 120 codes a minute, whatever addresses it claims.",
    cause: "Nothing counts, or the client is told apart by a header that the client writes.",
    locksOut: true,
    async run(site) {
      const path = `${site.target.qr}?mode=login`;
      const refusal = await untilLimited(120, (index) =>
        site.http.send({ path, headers: forgedAddress(index), expectsLimit: true }),
      );
      site.expectLimited(refusal);
    },
  },
  {
    id: "2.4-responses-limited",
    proves: "One address posts at most 120 wallet responses a minute, whatever addresses it claims.",
    cause: "Only pages are limited, so signatures can be tried without end.",
    locksOut: true,
    async run(site) {
      const refusal = await untilLimited(120, (index) =>
        site.post(site.webhook("login"), "{}", forgedAddress(index), { expectsLimit: true }),
      );
      site.expectLimited(refusal);
    },
  },
  {
    id: "2.4-sign-ins-limited",
    proves: "One address fails at most 60 sign-ins a minute.",
    cause: "The sign-in is the framework's own, and nothing counts in front of it.",
    locksOut: true,
    async run(site) {
      const browser = site.browser();
      const signIn = () => browser.signIn("A".repeat(40), {}, { expectsLimit: true });
      await untilLimited(60, async () => (await signIn()).answer, "failed sign-ins");
    },
  },
];
