import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Check, checksOf, type Family } from "./check.ts";
import { FAST_CHECKS } from "./fast/checks.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { RECEIVER_CHECKS } from "./receiver/checks.ts";
import { explain, findReferenceRow, REFERENCE_PAGES, sectionOf } from "./report/reference.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { WALLET_CHECKS } from "./wallet/checks.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");

type Page = { title: string; about: string; checks: readonly Check<never>[] };

const PAGES: Record<string, Page> = {
  "conformance-site": {
    title: "Checks of a site",
    about:
      "This page lists the checks of a site's own login. To run them, use [`server --url URL`](conformance.md#a-site).",
    checks: LOGIN_CHECKS,
  },
  "conformance-fast-login": {
    title: "Checks of a fast login",
    about:
      "This page lists the checks of a fast login. To run them, use [`server --flow fast`](conformance.md#a-site-with-fast-login).",
    checks: FAST_CHECKS,
  },
  "conformance-hosted-api": {
    title: "Checks of a hosted API",
    about:
      "This page lists the checks of a hosted API. To run them, use [`server --flow hosted`](conformance.md#a-hosted-api).",
    checks: HOSTED_CHECKS,
  },
  "conformance-receiver": {
    title: "Checks of a receiver",
    about:
      "This page lists the checks of a receiver of events. To run them, use [`receiver`](conformance.md#a-receiver).",
    checks: RECEIVER_CHECKS,
  },
  "conformance-wallet": {
    title: "Checks of a wallet",
    about: "This page lists the checks of a wallet. To run them, use [`wallet`](conformance.md#a-wallet).",
    checks: WALLET_CHECKS,
  },
};
const ALL = Object.values(PAGES).flatMap(({ checks }) => checks);

test("gives every check a unique id", () => {
  const ids = ALL.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("refuses a second text with the same id instead of replacing the first", () => {
  const checks = { "1.1-a": { requirement: "", cause: "" } };
  const family = { why: "", fix: "", checks };
  expect(() => checksOf({ family, other: family }, { "1.1-a": async () => {} })).toThrow("1.1-a");
});

test("states each check's level in its requirement", () => {
  const words = { MUST: /\bMUST\b/, SHOULD: /\bSHOULD\b/, MAY: /\bMAY\b/ };
  expect(ALL.filter(({ requirement, level }) => !words[level].test(requirement)).map(({ id }) => id)).toEqual(
    [],
  );
});

test("documents every check on a reference page and in docs/protocol.md", () => {
  const protocol = readFileSync(join(DOCS, "protocol.md"), "utf8");
  const headings = [...protocol.matchAll(/^#{2,3} (\d.*)$/gm)].map(([, text = ""]) =>
    text.replaceAll("`", ""),
  );
  const titles = headings.map((text) => text.replace(/^(\d+)\. /, "$1 "));
  for (const { id, level, requirement } of ALL) {
    expect(titles).toContain(sectionOf(id).title);
    expect(explain(id)).toMatchObject({ id, level, requirement });
    expect(PAGES[findReferenceRow(id).page]?.checks.some((check) => check.id === id)).toBe(true);
  }
  expect(explain("1.1-none")).toBeNull();
});

describe("the reference pages", () => {
  test("have the file names that the kit links to", () =>
    expect(Object.keys(PAGES)).toEqual(Object.keys(REFERENCE_PAGES)));

  // `vitest -u` updates these pages.
  test.each(Object.entries(PAGES))(
    "list every check with its requirement and its usual cause: docs/%s.md",
    async (name, page) => {
      await expect(renderPage(page)).toMatchFileSnapshot(join(DOCS, `${name}.md`));
    },
  );
});

function renderPage({ title, about, checks }: Page): string {
  const families = [...new Map(checks.map(({ family }) => [family.title, family])).values()];
  const parts = families.map((family) => renderFamily(family, checks));
  return `# ${title}\n\nGenerated from packages/conformance. Do not edit.\n\n${about} Each id links to its rule in [the protocol](protocol.md).\n\n${parts.join("\n")}`;
}

function renderFamily({ title, why, fix, svcLogin }: Family, checks: readonly Check<never>[]): string {
  const hint = svcLogin === undefined ? "" : ` **With \`@svc/login\`:** ${svcLogin}`;
  const rows = checks
    .filter(({ family }) => family.title === title)
    .toSorted((one, other) => one.id.localeCompare(other.id, "en", { numeric: true }))
    .map(renderRow);
  return `## ${title}\n\n${why} **Fix:** ${fix}${hint}\n\n| check | level | requirement | usual cause |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function renderRow({ id, level, requirement, cause, fix, exhaustsLimits }: Check<never>): string {
  const { anchor } = sectionOf(id);
  const when = exhaustsLimits ? " Runs with `--limits`." : "";
  return `| <a id="${findReferenceRow(id).anchor}"></a>[\`${id}\`](protocol.md#${anchor}) | ${level} | ${requirement}${when} | ${cause}${fix === undefined ? "" : ` **Fix:** ${fix}`} |`;
}
