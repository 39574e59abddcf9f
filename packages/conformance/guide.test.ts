import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Check, checksOf } from "./check.ts";
import { FAST_CHECKS } from "./fast/checks.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { RECEIVER_CHECKS } from "./receiver/checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { WALLET_CHECKS } from "./wallet/checks.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const ALL = [...LOGIN_CHECKS, ...FAST_CHECKS, ...HOSTED_CHECKS, ...RECEIVER_CHECKS, ...WALLET_CHECKS];
const protocol = readFileSync(join(DOCS, "protocol.md"), "utf8");
const sections = [...protocol.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, section]) => section);

test("every check's id begins with a section of docs/protocol.md, and no two are the same", () => {
  const ids = ALL.map(({ id }) => id);
  expect(ids.filter((id) => !sections.includes(id.split("-")[0]))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("a second text of the same id is refused, and does not replace the first", () => {
  const checks = { "1.1-a": { requirement: "", cause: "" } };
  const family = { why: "", fix: "", checks };
  expect(() => checksOf({ family, other: family }, { "1.1-a": async () => {} })).toThrow("1.1-a");
});

describe("docs/conformance.md", () => {
  test("has each check under a heading of its own, with what it proves and what usually breaks it", async () => {
    const file = join(DOCS, "conformance.md");
    const [introduction = ""] = readFileSync(file, "utf8").split(/^(?=## The checks$)/m);
    // `vitest -u` writes the part below this heading anew.
    await expect(introduction + renderChecks()).toMatchFileSnapshot(file);
  });
});

/** The part of docs/conformance.md that says what each check proves. */
function renderChecks(): string {
  const parts = [
    ["Checks of a site", LOGIN_CHECKS],
    ["Checks of a fast login", FAST_CHECKS],
    ["Checks of a hosted API", HOSTED_CHECKS],
    ["Checks of a receiver of events", RECEIVER_CHECKS],
    ["Checks of a wallet", WALLET_CHECKS],
  ] as const;
  return `## The checks\n\n${parts.map(([title, checks]) => renderPart(title, checks)).join("\n")}`;
}

function renderPart(title: string, checks: readonly Check<never>[]): string {
  const sorted = checks.toSorted((one, other) =>
    sectionOf(one) < sectionOf(other) ? -1 : Number(sectionOf(one) > sectionOf(other)),
  );
  const families = [...new Map(sorted.map(({ family }) => [family.title, family])).values()];
  const parts = families.map(({ title: name, why, fix }) => {
    const own = sorted.filter(({ family }) => family.title === name);
    return `#### ${name}\n\nWhy it matters: ${why}\n\nHow to mend it: ${fix}\n\n${own.map(renderCheck).join("\n")}`;
  });
  return `### ${title}\n\n${parts.join("\n")}`;
}

function renderCheck({ id, level, requirement, cause, locksOut }: Check<never>): string {
  const when = locksOut ? " Runs with `--limits`." : "";
  return `##### ${id}\n\n${level}. ${requirement}${when}\n\nUsual cause: ${cause}\n`;
}

const sectionOf = ({ id }: Check<never>) => id.split("-")[0] ?? "";
