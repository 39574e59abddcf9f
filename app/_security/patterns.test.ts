import { check } from "recheck";
import { describe, expect, test } from "vitest";
import {
  type FoundPattern,
  listCodeFiles,
  type Pattern,
  readPatterns,
  recordPatternsOnLoad,
} from "./read-patterns.fixture.ts";

/** Checks that no regular expression takes more than linear time on input from outside. */

/** Code whose only input is this repository, or the output of its own programs and pages. */
const READS_OUR_OWN =
  /^(?:e2e|tools|packages\/login\/cli|scripts\/(?:audit|browsers|dependencies|package|test)(?:\/|\.ts$)|scripts\/template(?:\.ts|\/[^/]+\.ts)$|app\/wallet\/sw\.js\/service-worker\.js$|vitest\.config\.ts$)/;

/** Files that build patterns at runtime, each with the reason why no input makes these patterns slow. */
const BUILT_LATER: Record<string, string> = {
  "packages/conformance/flow/headers.ts": "a constant word between word boundaries",
  "lib/routes/route-pattern.ts": "a route's path, in which a segment repeats one class of characters",
  "packages/login/plugins/recovery/code.ts": "a constant number of characters",
};

const files = listCodeFiles().filter((file) => !READS_OUR_OWN.test(file));
const found = files.map((file) => readPatterns(file));
const written = found.flatMap((file) => file.written);

/**
 * On a busy machine, any input can take so long that `recheck` reports it as slow. These deadlines only end searches
 * that would never end by themselves.
 */
const DEADLINE_MS = 600_000;
const BY_STEPS = { timeout: DEADLINE_MS, attackTimeout: DEADLINE_MS, incubationTimeout: DEADLINE_MS };

/**
 * Returns whether a pattern's form makes it linear: it repeats nothing, or is anchored at the beginning and repeats one
 * single-character class.
 */
function isPlain({ source, flags }: Pattern): boolean {
  const shape = source.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x");
  const repeated = shape.match(/.[*+]|.\{/g) ?? [];
  if (repeated.length === 0) return true;
  const isAnchored = shape.startsWith("^") && !shape.includes("|") && !flags.includes("m");
  return isAnchored && repeated.length === 1 && !repeated[0]?.startsWith(")");
}

/** Null if the pattern is linear. */
async function patternFault({ source, flags }: Pattern): Promise<string | null> {
  if (isPlain({ source, flags })) return null;
  const decided = await check(source, flags, BY_STEPS);
  if (decided.status === "safe") return null;
  return decided.status === "vulnerable" ? decided.complexity.summary : `undecided: ${decided.error.kind}`;
}

async function patternFaults(patterns: readonly FoundPattern[]): Promise<string[]> {
  const byText = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  const unexpected: string[] = [];
  // Sequential, because `recheck` mixes up patterns when calls are concurrent.
  for (const [text, pattern] of byText) {
    const complaint = await patternFault(pattern);
    if (complaint) unexpected.push(`${pattern.at} ${text}: ${complaint}`);
  }
  return unexpected;
}

test("uses only regular expressions that match in linear time", { timeout: DEADLINE_MS }, async () => {
  expect(written.length).toBeGreaterThan(250);
  expect(await patternFaults(written)).toEqual([]);
});

test("builds only regular expressions that match in linear time", { timeout: DEADLINE_MS }, async () => {
  const builtLater: string[] = [];
  for (const { file, built } of found.filter(({ built }) => built > 0)) {
    const patterns = await recordPatternsOnLoad(file);
    if (patterns.length < built) builtLater.push(file);
    expect(await patternFaults(patterns)).toEqual([]);
  }
  expect(builtLater.toSorted()).toEqual(Object.keys(BUILT_LATER).toSorted());
});

describe("the search for regular expressions", () => {
  test.each([
    ["the pattern of a site's languages", String.raw`header.split(/\s*;\s*q=/)`],
    ["the pattern of a wallet's cache", String.raw`/^\s*max-age\s*=\s*(.*?)\s*$/.exec(directive)`],
    ["a pattern that restarts at each character", "/<title[^>]*>/.exec(page)"],
    ["a pattern with nested repetition", String.raw`/^(?:\w+\s?)+$/.test(name)`],
  ])("finds %s", async (_, code) => {
    const { written } = readPatterns(
      "planted.ts",
      `export const found = (header, directive, page, name) => ${code};`,
    );
    expect(written).toHaveLength(1);
    expect(await patternFaults(written)).toEqual([expect.stringMatching(/polynomial|exponential/)]);
  });

  test("finds every regular expression that the code builds", async () => {
    const code = 'const A = new RegExp("a");\nexport const b = () => RegExp("b");';
    expect(readPatterns("planted.ts", code).built).toBe(2);
    expect(await recordPatternsOnLoad("packages/wallet/url.ts")).toEqual([
      { at: "packages/wallet/url.ts", source: expect.stringMatching(/^\^\[a-z0-9\]/), flags: "" },
    ]);
  });
});
