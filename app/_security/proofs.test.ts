import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAST_CHECKS } from "#packages/conformance/fast/checks.ts";
import { HOSTED_CHECKS } from "#packages/conformance/hosted/checks.ts";
import { findReferenceRow } from "#packages/conformance/report/reference.ts";
import { LOGIN_CHECKS } from "#packages/conformance/server/checks.ts";

/** Checks that the tests named in the documents exist. */

const ROOT = join(import.meta.dirname, "..", "..");
/** The file that runs the conformance kit against this application. */
const RUN = "packages/conformance/app.integration.test.ts";
const DOCUMENTS = ["docs/threats.md", "docs/guarantees.md"];

/** Without those that this run omits. */
const run = readFileSync(join(ROOT, RUN), "utf8");
const CHECKS = new Set(
  [...LOGIN_CHECKS, ...FAST_CHECKS, ...HOSTED_CHECKS]
    .filter(({ id, exhaustsLimits }) => !exhaustsLimits && !run.includes(`"${id}"`))
    .map(({ id }) => id),
);

function rowOf(id: string): string {
  const { page, anchor } = findReferenceRow(id);
  return `${page}.md#${anchor}`;
}

type Entry = { what: string; proofs: { target: string; title: string }[] };

/**
 * Returns the document's bold statements, each with the tests listed below it, in the form `- [name](../file):
 * "title"`. The kit's checks link to rows of the kit's reference instead of files.
 */
function entriesOf(document: string): Entry[] {
  const blocks = readFileSync(join(ROOT, document), "utf8").split("\n\n");
  return blocks.flatMap((block, index) => {
    const what = block.match(/^(?:<a id="[\w-]+"><\/a>)?\*\*(.+)\*\*$/)?.[1];
    if (what === undefined) return [];
    const lines = (blocks[index + 1] ?? "").trim().split("\n");
    const proofs = lines.map((line) => {
      const [, target = "", , title = line] = line.match(/^- \[.+\]\((\S+)\): (["`])(.+)\2$/) ?? [];
      return { target, title };
    });
    return [{ what, proofs }];
  });
}

describe.each(DOCUMENTS)("%s", (document) => {
  const proofs = entriesOf(document).flatMap((entry) => entry.proofs);

  test("cites only existing tests, by their current titles", () => {
    expect(proofs.length).toBeGreaterThan(200);
    const missing = proofs.filter(({ target, title }) => {
      if (CHECKS.has(title)) return target !== rowOf(title);
      const isTest = /^\.\.\/.*\.(?:test|spec)\.tsx?$/.test(target);
      const source = isTest ? readFileSync(join(ROOT, "docs", target), "utf8") : "";
      return ![`"${title}"`, `'${title}'`, `\`${title}\``].some((literal) => source.includes(literal));
    });
    expect(missing).toEqual([]);
  });
});

test("lists at least one test for every attack in docs/threats.md", () => {
  const page = readFileSync(join(ROOT, "docs/threats.md"), "utf8");
  const attacks = [...page.matchAll(/^\| <a id="(\w+)"><\/a>\[(\w+)\]\(#tests-\1\) \|/gm)].map(
    ([, id, name]) => `[${name}](#${id})`,
  );
  expect(attacks.length).toBeGreaterThan(80);
  expect(entriesOf("docs/threats.md").map(({ what }) => what)).toEqual(attacks);
});

test("cites every security test file in docs/guarantees.md or docs/threats.md", () => {
  const provedFiles = new Set(
    DOCUMENTS.flatMap(entriesOf).flatMap(({ proofs }) => proofs.map(({ target }) => target)),
  );
  const files = globSync("*.test.ts", { cwd: import.meta.dirname }).map((name) => `../app/_security/${name}`);
  expect(files.filter((file) => !provedFiles.has(file) && !file.endsWith("/proofs.test.ts"))).toEqual([]);
});
