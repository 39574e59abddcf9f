import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAST_CHECKS } from "#packages/conformance/fast/checks.ts";
import { HOSTED_CHECKS } from "#packages/conformance/hosted/checks.ts";
import { LOGIN_CHECKS } from "#packages/conformance/server/checks.ts";

/** The documents that say which test holds what; they are kept from naming tests that are not there. */

const ROOT = join(import.meta.dirname, "..", "..");
/** The conformance kit's run against this application: a link to it carries the check's id. */
const RUN = "packages/conformance/app.integration.test.ts";
const DOCUMENTS = ["docs/threats.md", "docs/guarantees.md"];

/** The checks of that run; the run's file lists the omitted ones. */
const run = readFileSync(join(ROOT, RUN), "utf8");
const CHECKS = new Set(
  [...LOGIN_CHECKS, ...FAST_CHECKS, ...HOSTED_CHECKS]
    .filter(({ id, locksOut }) => !locksOut && !run.includes(`"${id}"`))
    .map(({ id }) => id),
);

/**
 * A line of a table whose last column is 'held by', and the tests that its last cell links: `[word](../file "title")`.
 * The one other table is of what others advise.
 */
function rowsOf(document: string) {
  return readFileSync(join(ROOT, document), "utf8")
    .split("\n\n")
    .filter((block) => block.startsWith("| ") && !block.startsWith("| RFC 10027 |"))
    .flatMap((table) => table.split("\n"))
    .filter((line) => line.startsWith("| ") && !/\| held by \|$/.test(line))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const links = [...(cells.at(-2) ?? "").matchAll(/\]\(\.\.\/(\S+) "([^"]+)"\)/g)];
      return { what: cells[1], proofs: links.map(([, file = "", title = ""]) => ({ file, title })) };
    });
}

describe.each(DOCUMENTS)("%s", (document) => {
  const rows = rowsOf(document);

  test("has a test for each of its lines", () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(({ proofs }) => proofs.length === 0)).toEqual([]);
  });

  test("names only existing tests, with their current titles", () => {
    const missing = rows
      .flatMap(({ proofs }) => proofs)
      .filter(({ file, title }) => {
        if (file === RUN) return !CHECKS.has(title);
        const source = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8") : "";
        return ![`"${title}"`, `'${title}'`, `\`${title}\``].some((quoted) => source.includes(quoted));
      });
    expect(missing).toEqual([]);
  });
});

test("every file in this folder is named by one of the documents", () => {
  const named = new Set(DOCUMENTS.flatMap(rowsOf).flatMap(({ proofs }) => proofs.map(({ file }) => file)));
  const files = globSync("*.test.ts", { cwd: import.meta.dirname }).map((name) => `app/_security/${name}`);
  expect(files.filter((file) => !named.has(file) && !file.endsWith("/proofs.test.ts"))).toEqual([]);
});
