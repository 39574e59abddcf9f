import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Check, FamilyOf } from "./check.ts";
import { FAST_CHECKS } from "./fast/checks.ts";
import { FAMILIES_OF_FAST_LOGIN } from "./fast/families.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { FAMILIES_OF_HOSTED_API } from "./hosted/families.ts";
import { FAMILIES_OF_RECEIVER, RECEIVER_CHECKS } from "./receiver/checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { FAMILIES_OF_LOGIN } from "./server/families.ts";
import { renderChecks } from "./testing/guide.fixture.ts";
import { WALLET_CHECKS } from "./wallet/checks.ts";
import { FAMILIES_OF_WALLET } from "./wallet/families.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const ALL = [...LOGIN_CHECKS, ...FAST_CHECKS, ...HOSTED_CHECKS, ...RECEIVER_CHECKS, ...WALLET_CHECKS];
const protocol = readFileSync(join(DOCS, "protocol.md"), "utf8");
const sections = [...protocol.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, section]) => section);

test("every check's id begins with a section of docs/protocol.md, and no two are the same", () => {
  const ids = ALL.map(({ id }) => id);
  expect(ids.filter((id) => !sections.includes(id.split("-")[0]))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every family has checks by each of its beginnings", () => {
  const idle = [
    [FAMILIES_OF_LOGIN, [...LOGIN_CHECKS, ...HOSTED_CHECKS]],
    [FAMILIES_OF_FAST_LOGIN, FAST_CHECKS],
    [FAMILIES_OF_HOSTED_API, HOSTED_CHECKS],
    [FAMILIES_OF_RECEIVER, RECEIVER_CHECKS],
    [FAMILIES_OF_WALLET, WALLET_CHECKS],
  ].flatMap(([families, checks]) =>
    (families as readonly FamilyOf[]).flatMap(({ of, title }) =>
      of.filter(
        (beginning) =>
          !(checks as readonly Check<never>[]).some(
            ({ id, family }) => id.startsWith(beginning) && family.title === title,
          ),
      ),
    ),
  );
  expect(idle).toEqual([]);
});

describe("docs/conformance.md", () => {
  test("has each check under a heading of its own, with what it proves and what usually breaks it", async () => {
    const file = join(DOCS, "conformance.md");
    const [introduction = ""] = readFileSync(file, "utf8").split(/^(?=## The checks$)/m);
    // `vitest -u` writes the part below this heading anew.
    await expect(introduction + renderChecks()).toMatchFileSnapshot(file);
  });
});
