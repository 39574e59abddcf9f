import { fail, type Rule } from "../check.ts";
import { expectCounted, saysWhenToComeBack, untilLimited } from "../flow/limits.ts";
import type { Api } from "./api.ts";

/** Section 2.4: a tenant has a share. */

/** @throws {Failure} unless reading goes on */
async function expectListed(api: Api, after: string): Promise<void> {
  const { status } = await api.call("GET", "/domains", undefined, { expectsLimit: true });
  if (status !== 200) fail(`After ${after} GET /domains is answered ${status}.`);
}

export const HOSTED_LIMIT_CHECKS: readonly Rule<Api>[] = [
  {
    id: "2.4-api-headers",
    proves: "Every operation says what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`.",
    cause: "The headers are set by the limiter's refusal alone.",
    async run(api) {
      const { id } = await api.session();
      const answers = [
        await api.create(),
        await api.read(id),
        await api.call("GET", "/domains"),
        await api.call("POST", "/verify", {}),
      ];
      for (const answer of answers) expectCounted(answer);
    },
  },
  {
    id: "2.4-api-retry-after",
    proves: "A 429 of the API says when to come back: `Retry-After`, and the same as `details.retry_after`.",
    cause: "The refusal is the limiter's own, or a proxy's.",
    looksBack: true,
    run: saysWhenToComeBack,
  },
  {
    id: "2.4-api-sessions-limited",
    proves: "A tenant creates at most 100 sessions a minute; reading goes on.",
    cause: "Nothing counts, or one counter stands for all operations.",
    locksOut: true,
    async run(api) {
      await api.domain();
      api.expectLimited(await untilLimited(100, () => api.create({}, { expectsLimit: true })));
      await expectListed(api, "the limit of sessions");
    },
  },
  {
    id: "2.4-api-failures-limited",
    proves: "One address fails at most 60 times a minute with unknown keys, and the right key still passes.",
    cause: "Keys can be tried without end, or an attacker behind the same address locks the customer out.",
    locksOut: true,
    async run(api) {
      const key = `${api.target.key.slice(0, 9)}${"A".repeat(43)}`;
      await untilLimited(60, () => api.call("GET", "/domains", undefined, { key, expectsLimit: true }));
      await expectListed(api, "the limit of unknown keys");
    },
  },
];
