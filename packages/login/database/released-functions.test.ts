import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOGIN_FUNCTIONS } from "./install-sql-functions.ts";

/**
 * While a new release is rolled out, processes of the previous release still call the functions in their own schema. A
 * released schema must therefore never change. To change a function, create a schema with the next number.
 */

/** The release that introduces a schema adds its hash. */
const RELEASED: Readonly<Record<string, string>> = {};

const CHANGELOG = readFileSync(join(import.meta.dirname, "..", "CHANGELOG.md"), "utf8");

type Functions = { schema: string; hash: string };

function faultOf({ schema, hash }: Functions, changelog: string, released: typeof RELEASED): string | null {
  const [, ...versions] = changelog.split(/^## /m);
  const isReleased = versions.some(
    (section) => !section.startsWith("Unreleased") && section.includes(`\`${schema}\``),
  );
  const recorded = released[schema];
  if (recorded === undefined)
    return isReleased ? `${schema} is released and not recorded: add ${hash}` : null;
  return recorded === hash ? null : `${schema} has changed since its release: raise its number`;
}

test("detects changed functions in a released schema", () => {
  const { schema, read } = LOGIN_FUNCTIONS;
  const hash = createHash("sha256").update(read().join()).digest("hex");
  expect(CHANGELOG).toContain(`\`${schema}\``);
  expect(faultOf({ schema, hash }, CHANGELOG, RELEASED)).toBeNull();
});

const FUNCTIONS = { schema: "login_7", hash: "abc" };
const NAMED = "- functions in the schema `login_7`\n";

test.each([
  ["before its release", `# Changelog\n## Unreleased\n${NAMED}## 0.1.0\n`, {}, null],
  [
    "released and not recorded",
    `# Changelog\n## Unreleased\n## 0.2.0\n${NAMED}`,
    {},
    /not recorded: add abc/,
  ],
  ["released and unchanged", `# Changelog\n## 0.2.0\n${NAMED}`, { login_7: "abc" }, null],
  ["released and changed", `# Changelog\n## 0.2.0\n${NAMED}`, { login_7: "def" }, /raise its number/],
])("reports whether a schema has a fault: a schema that is %s", (_what, changelog, released, fault) => {
  const found = faultOf(FUNCTIONS, changelog, released);
  if (fault === null) expect(found).toBeNull();
  else expect(found).toMatch(fault);
});
