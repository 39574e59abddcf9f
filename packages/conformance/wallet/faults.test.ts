import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";
import { listFaults } from "../testing/faults.fixture.ts";
import { INDEPENDENT_WALLET_FAULTS, WALLET_FAULTS } from "../testing/faults-wallet.fixture.ts";
import { createReferenceWallet } from "../testing/reference-wallet.fixture.ts";
import { WALLET_CHECKS } from "./checks.ts";
import { type Domains, openDomains } from "./hostile-site.ts";
import { runWallet } from "./run-wallet.ts";
import type { OuterAddress, Trial } from "./trial.ts";

/** Tested with their own faults. */
const DELEGATIONS = WALLET_CHECKS.filter(({ id }) => id.startsWith("9."));
const OTHERS = WALLET_CHECKS.filter((check) => !DELEGATIONS.includes(check));
const QUICK = OTHERS.filter(({ startsEarly }) => !startsEarly);
const SLOW = OTHERS.filter(({ startsEarly }) => startsEarly);

/** At a free port, because port 80 might be in use. */
let domains: Domains;
beforeAll(async () => {
  domains = await openDomains(0);
});
afterAll(() => domains.close());

async function tryOut(
  faults: readonly string[],
  checks: readonly Check<Trial>[] = QUICK,
  outerName: OuterAddress | null = { domain: "outer-name.test", address: "127.0.0.1" },
): Promise<Result[]> {
  const command = createReferenceWallet(faults, domains.port);
  const run = { command, knowsAction: true, holdsVectors: true, checks, lanes: 8, domains, outerName };
  return (await runWallet(run)).results;
}

const failedIn = (results: readonly Result[]) =>
  results.filter(({ outcome }) => outcome === "failed").map(({ check }) => check.id);

const grouped = new Set(INDEPENDENT_WALLET_FAULTS.flat());

// This test does not run concurrently. One check measures how long the wallet waits, and the DNS queries of the tests
// below use all threads.
test("passes a correct wallet", async () => {
  const results = await tryOut([], WALLET_CHECKS);
  expect(results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked")).toEqual([]);
});

const FAULTS = listFaults(WALLET_FAULTS);
const isGrouped = ([fault]: (typeof FAULTS)[number]) => grouped.has(fault);

// Concurrent, because the tests mostly wait.
describe("the wallet checks", () => {
  test.concurrent("skip the checks of the question about the browser for a wallet that does not ask it", async () => {
    const results = await tryOut(["asks-nobody"]);
    expect(results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked")).toEqual([]);
    const skipped = results.filter(({ outcome }) => outcome === "skipped").map(({ check }) => check.id);
    expect(skipped).toEqual([
      ...["11.1-asks", "11.1-asks-privately", "11.1-asks-first", "11.1-untold"],
      ...["11.1-asks-nobody-else", "11.1-intent-differs", "11.1-plain-name"],
    ]);
  });

  test.concurrent("skip the check that uses an IP address as the domain for a wallet that does not accept one", async () => {
    const outcomes = (await tryOut(["names-alone"], QUICK, null)).filter(
      ({ outcome }) => outcome !== "passed",
    );
    expect(outcomes.map(({ check, outcome }) => [check.id, outcome])).toEqual([
      ["7-webhook-https", "skipped"],
    ]);
  });

  test.concurrent.each(INDEPENDENT_WALLET_FAULTS.map((group) => [group]))(
    "fail exactly where one of several independent faults matters: %j",
    async (group) => {
      const expected = FAULTS.filter(([fault]) => group.includes(fault));
      expect(failedIn(await tryOut(group)).toSorted()).toEqual(expected.flatMap(([, ids]) => ids).toSorted());
    },
  );

  test.concurrent.each(FAULTS.filter((each) => !isGrouped(each)))(
    "fail exactly where the fault matters: %s",
    async (fault, [id = "", ...more]) => {
      const kind = [SLOW, DELEGATIONS].find((checks) => checks.some((check) => check.id === id)) ?? QUICK;
      expect(failedIn(await tryOut([fault], kind)).toSorted()).toEqual([id, ...more].toSorted());
    },
  );

  test.concurrent("fail for a wallet that reports success for a code that it must refuse", async () => {
    const failed = failedIn(await tryOut(["always-well"]));
    expect(failed).toEqual(expect.arrayContaining(["7-expired", "7-webhook-host", "7-no-challenge"]));
  });
});

// Last, because the DNS queries would delay the checks that measure time.
describe("the checks for a group of faults", () => {
  test.concurrent.each(FAULTS.filter(isGrouped))(
    "fail even for a wallet that has only one of the faults: %s",
    async (fault, ids) => {
      const checks = QUICK.filter(({ id }) => ids.includes(id));
      expect(failedIn(await tryOut([fault], checks)).toSorted()).toEqual(ids.toSorted());
    },
  );
});
