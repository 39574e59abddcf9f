import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";
import type { Faults } from "../testing/faults.fixture.ts";
import { referenceWallet } from "../testing/reference-wallet.fixture.ts";
import type { WalletId } from "../texts/wallet.ts";
import { WALLET_CHECKS } from "./checks.ts";
import { type Domains, openDomains } from "./hostile-site.ts";
import { runWallet } from "./run-wallet.ts";
import type { Outer, Trial } from "./trial.ts";

/** The checks of delegations have separate faults. */
const DELEGATIONS = WALLET_CHECKS.filter(({ id }) => id.startsWith("9."));
const OTHERS = WALLET_CHECKS.filter((check) => !DELEGATIONS.includes(check));
const QUICK = OTHERS.filter(({ waits }) => !waits);
const SLOW = OTHERS.filter(({ waits }) => waits);

/** Each fault of the reference wallet, and the checks that it fails. */
const FAULTS: Faults<WalletId> = {
  silent: ["7-shows-domain"],
  strict: ["1.2-unknown-parameter"],
  "twice-taken": ["7-parameter-twice"],
  "signs-anything": ["7-no-challenge", "7-webhook-https"],
  "ts-trusted": ["7-expired"],
  "old-answered": ["7-expired"],
  "future-answered": ["7-future"],
  "any-action": ["7-wrong-action"],
  "any-credentials": ["7-webhook-credentials"],
  disguised: ["7-webhook-credentials", "7-webhook-disguised"],
  "any-http": ["7-webhook-https"],
  "any-http-to-names": ["7-webhook-https"],
  "any-host": ["7-webhook-host"],
  "host-ends": ["7-webhook-host"],
  "host-begins": ["7-webhook-host"],
  "host-goes-on": ["7-webhook-host"],
  "one-key": ["7-derivation", "7-one-key-per-domain"],
  "random-key": ["7-derivation", "7-one-key-per-domain"],
  "other-path": ["7-derivation"],
  "one-device": ["7-device-per-domain"],
  "hashed-twice": ["1.4-sent"],
  "off-curve": ["1.4-sent", "7-derivation", "7-one-key-per-domain"],
  compact: ["1.4-sent"],
  milliseconds: ["1.5-sent"],
  "form-type": ["1.5-sent"],
  "intent-untold": ["3.6-shown", "3.6-shown-none"],
  "intent-only-set": ["3.6-shown-none"],
  "intent-always-null": ["3.6-shown"],
  "intent-copied": ["3.6-shown-none"],
  "sends-cookies": ["7-no-cookies"],
  follows: ["7-redirect"],
  "any-2xx": ["7-only-200"],
  "says-nothing": ["7-says-why"],
  "raw-message": ["7-plain-text"],
  "tries-once": ["7-tries-again"],
  "signs-anew": ["7-tries-again"],
  "tries-after-4xx": ["7-final", "7-says-why"],
  "asks-beside": ["11.1-asks"],
  "question-any-type": ["11.1-asks"],
  "question-cookies": ["11.1-asks-privately"],
  "asks-late": ["11.1-asks-first", "11.1-intent-differs"],
  "needs-asking": ["11.1-untold"],
  "question-follows": ["11.1-asks-nobody-else"],
  "payload-believed": ["11.1-intent-differs"],
  "raw-name": ["11.1-plain-name"],
  "strict-members": ["11.2-takes-any-answer"],
  "strict-answer": ["11.2-takes-any-answer"],
  undoes: ["11.2-undoes-nothing"],
  "any-undo": ["11.2-undo-elsewhere"],
};

/** Faults of what asks a domain, and of nothing else. */
const DELEGATION_FAULTS: Faults<WalletId> = {
  "file-trusted": ["9.1-domain", "9.1-file", "9.1-hosts"],
  "any-file-domain": ["9.1-domain"],
  "asks-elsewhere": ["9.2-answers"],
  wildcards: ["9.1-hosts"],
  "any-case": ["9.1-hosts"],
  "long-lists": ["9.1-hosts"],
  "follows-to-file": ["9.2-redirect"],
  "waits-for-file": ["9.2-in-time"],
  "asks-again": ["9.2-kept"],
  brief: ["9.2-kept"],
  "retries-files": ["9.2-kept"],
  "file-cookies": ["9.2-no-cookies"],
  "asks-early": ["9.2-not-before"],
  "asks-in-clear": ["9.2-https"],
};

const SLOW_FAULTS: Faults<WalletId> = {
  "even-pauses": ["7-pauses-grow"],
  "tries-on": ["7-not-after"],
  impatient: ["7-patient"],
  "question-hangs": ["11.1-untold-in-time"],
};

/** Where the reference wallet asks the names of this machine: port 80 is somebody else's. */
let domains: Domains;
beforeAll(async () => {
  domains = await openDomains(0);
});
afterAll(() => domains.close());

async function tryOut(
  faults: readonly string[],
  checks: readonly Check<Trial>[] = QUICK,
  outerName: Outer | null = { domain: "outer-name.test", address: "127.0.0.1" },
): Promise<Result[]> {
  const command = referenceWallet(faults, domains.port);
  const run = { command, knowsAction: true, holdsVectors: true, checks, lanes: 8, domains, outerName };
  return (await runWallet(run)).results;
}

const failedIn = (results: readonly Result[]) =>
  results.filter(({ outcome }) => outcome === "failed").map(({ check }) => check.id);

/** Faults with what they fail, and the checks that are run against them. */
const faultsOf = (faults: Record<string, readonly string[]>, checks: readonly Check<Trial>[]) =>
  Object.entries(faults).map(([fault, expected]) => [fault, expected, checks] as const);

// They mostly wait.
describe.concurrent("the checks of a wallet", () => {
  test("a correct wallet passes every one", async () => {
    const results = await tryOut([], WALLET_CHECKS);
    expect(results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked")).toEqual([]);
  });

  test("a wallet that does not ask fails no check, and the checks of its question are skipped", async () => {
    const results = await tryOut(["asks-nobody"]);
    expect(results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked")).toEqual([]);
    const skipped = results.filter(({ outcome }) => outcome === "skipped").map(({ check }) => check.id);
    expect(skipped).toEqual([
      ...["11.1-asks", "11.1-asks-privately", "11.1-asks-first", "11.1-untold"],
      ...["11.1-asks-nobody-else", "11.1-intent-differs", "11.1-plain-name"],
    ]);
  });

  test("a wallet that accepts no IP address as a domain skips the check that needs one", async () => {
    const outcomes = (await tryOut(["names-alone"], QUICK, null)).filter(
      ({ outcome }) => outcome !== "passed",
    );
    expect(outcomes.map(({ check, outcome }) => [check.id, outcome])).toEqual([
      ["7-webhook-https", "skipped"],
    ]);
  });

  test.each([
    ...faultsOf(SLOW_FAULTS, SLOW),
    ...faultsOf(DELEGATION_FAULTS, DELEGATIONS),
    ...faultsOf(FAULTS, QUICK),
  ])("a wallet with the fault %s fails exactly its own", async (fault, expected, checks) => {
    expect(failedIn(await tryOut([fault], checks)).toSorted()).toEqual(expected.toSorted());
  });

  test("a wallet that always reports success fails the checks of what it must refuse", async () => {
    const failed = failedIn(await tryOut(["always-well"]));
    expect(failed).toEqual(expect.arrayContaining(["7-expired", "7-webhook-host", "7-no-challenge"]));
  });
});
