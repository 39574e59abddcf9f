import fc from "fast-check";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { expect, test } from "vitest";
import { isRouterState } from "./router-state.ts";

/** What the framework itself makes of it: it throws, and answers 500, where it cannot read it. */
function frameworkReads(header: string): boolean {
  try {
    return parseAndValidateFlightRouterState(header) !== undefined;
  } catch {
    return false;
  }
}

const text = fc.constantFrom("", "children", "__PAGE__", "login", "c", "d", "oc", "x");
const odd = fc.constantFrom<unknown>(null, 0, 1.5, true, {}, [], "refetch", ["a"], ["a", "b"], ["a", 1]);
const param = fc.tuple(text, text, text, fc.oneof(fc.constant(null), fc.array(text), odd));

/** A tree of at most so many levels, now and then with something odd in it. */
function stateOf(levels: number): fc.Arbitrary<unknown[]> {
  const mostly = <Value>(usual: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const children = fc.dictionary(text, levels > 0 ? stateOf(levels - 1) : odd, {
    maxKeys: levels > 0 ? 2 : 0,
  });
  return fc
    .tuple(
      mostly(fc.oneof(text, param)),
      mostly(children),
      mostly(fc.oneof(fc.constant(null), fc.tuple(text, text))),
      mostly(fc.constantFrom(null, "refetch", "inside-shared-layout", "metadata-only")),
      mostly(fc.constantFrom(null, 0, 7)),
      mostly(text),
      odd,
    )
    .chain((members) => fc.nat(members.length).map((length) => members.slice(0, length)));
}

test("is what the framework can read, and nothing that it cannot", () => {
  const header = fc.oneof(
    { weight: 9, arbitrary: stateOf(3).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
  let readable = 0;
  fc.assert(
    fc.property(header, fc.boolean(), (value, encoded) => {
      const sent = encoded ? encodeURIComponent(value) : value;
      const reads = frameworkReads(sent);
      if (reads) readable++;
      expect(isRouterState(sent)).toBe(reads);
    }),
    { numRuns: 3_000 },
  );
  expect(readable).toBeGreaterThan(200);
});

test("no tree that is deeper or wider than pages lie: it would take the framework long", () => {
  const nested = (depth: number): unknown => (depth === 0 ? ["", {}] : ["", { children: nested(depth - 1) }]);
  expect(isRouterState(JSON.stringify(nested(20)))).toBe(true);
  expect(isRouterState(JSON.stringify(nested(1_000)))).toBe(false);
  const wide = (count: number) => [
    "",
    Object.fromEntries(Array.from({ length: count }, (_, key) => [key, ["", {}]])),
  ];
  expect(isRouterState(JSON.stringify(wide(20)))).toBe(true);
  expect(isRouterState(JSON.stringify(wide(900)))).toBe(false);
  expect(isRouterState("[".repeat(8_000) + "]".repeat(8_000))).toBe(false);
  expect(isRouterState('["",{"a":'.repeat(1_500))).toBe(false);
});
