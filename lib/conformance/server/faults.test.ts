import { beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../check.ts";
import type { Result } from "../run-checks.ts";
import { ended, Passing } from "../testing/passing.fixture.ts";
import { type ReferenceSite, startReferenceSite } from "../testing/reference-site.fixture.ts";
import { INDEPENDENT_SITE_FAULTS, LIMIT_FAULTS, SITE_FAULTS } from "../testing/site-faults.fixture.ts";
import { LOGIN_CHECKS } from "./checks.ts";
import { runServer } from "./run-server.ts";
import type { Site } from "./site.ts";
import { DEFAULT_PATHS } from "./target.ts";

const ORDINARY = LOGIN_CHECKS.filter(({ locksOut }) => !locksOut);
const LOCKING = LOGIN_CHECKS.filter(({ id, locksOut }) => locksOut || id === "2.4-retry-after");

type Options = Parameters<typeof startReferenceSite>[0];

/** Tries a site whose clock the waiting checks move, one check after another. */
async function tryOn(site: ReferenceSite, checks: readonly Check<Site>[]): Promise<Result[]> {
  const { results } = await runServer({
    ...{ target: { ...DEFAULT_PATHS, origin: site.origin }, checks, timeoutSeconds: 30, lanes: 1 },
    wait: async (seconds) => site.advance(seconds),
  });
  return results;
}

async function tryOut(options: Options, checks: readonly Check<Site>[] = ORDINARY): Promise<Result[]> {
  const site = await startReferenceSite(options);
  try {
    return await tryOn(site, checks);
  } finally {
    site.close();
  }
}

const passing = new Passing(ORDINARY);

beforeAll(async () => {
  const site = await startReferenceSite();
  const noting = passing.noting(site.asked);
  await tryOn(site, noting);
  for (const check of noting) await tryOn(site, [check]);
  site.close();
});

describe("a correct site passes every check", () => {
  test.each([[undefined], ["https" as const]])("with codes of the form %s", async (qrFormat) => {
    const results = await tryOut({ qrFormat });
    expect(results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked")).toEqual([]);
    expect(ended(results, "skipped").length).toBeLessThan(4);
  });

  test("and those that use up its limits", async () => {
    expect(ended(await tryOut({ limit: 120 }, LOCKING), "passed")).toEqual(LOCKING.map(({ id }) => id));
  });
});

describe("a site with one fault fails exactly the checks that name it", () => {
  // They mostly wait.
  test.concurrent.each(Object.entries(SITE_FAULTS))("%s", async (fault, expected) => {
    const qrFormat = fault === "no-page" ? "https" : undefined;
    const results = await tryOut({ faults: [fault], qrFormat }, passing.checksFor(fault));
    expect(ended(results, "failed").toSorted()).toEqual(expected.toSorted());
  });

  test("faults with checks of their own, planted together, fail exactly those", async () => {
    const results = await tryOut({ faults: Object.keys(INDEPENDENT_SITE_FAULTS) });
    expect(ended(results, "failed").toSorted()).toEqual(
      Object.values(INDEPENDENT_SITE_FAULTS).flat().toSorted(),
    );
  });

  test.each(Object.entries(LIMIT_FAULTS))("%s", async (fault, expected) => {
    const results = await tryOut({ faults: [fault], limit: 120 }, LOCKING);
    expect(ended(results, "failed").toSorted()).toEqual(expected.toSorted());
  });
});

test("every check that a site can fail is failed by some fault", () => {
  const failed = new Set(
    Object.values({ ...SITE_FAULTS, ...INDEPENDENT_SITE_FAULTS, ...LIMIT_FAULTS }).flat(),
  );
  const never = LOGIN_CHECKS.map(({ id }) => id).filter((id) => !failed.has(id));
  expect(never).toEqual([]);
});
