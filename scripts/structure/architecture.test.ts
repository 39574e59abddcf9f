import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIRECTIONS } from "./directions.ts";
import { reachableFrom, readImports } from "./read-imports.ts";

/** The documents that describe the code are kept from describing what is not there. */

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const page = read("docs/architecture.md");

/** The first cells of the table below a heading, without their backticks. */
function firstCells(heading: string): string[] {
  const section = page.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = ""]) => cell);
}

describe("docs/architecture.md", () => {
  test("names only files and folders that exist", () => {
    const paths = [...page.matchAll(/`((?:app|components|lib|scripts|e2e)\/[^`]+)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("shows the login in at most ten files, each imported by what stands above it or mounted by a route", () => {
    const files = firstCells("A login in ten files");
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(10);
    const routes = [...page.matchAll(/`(app\/[^`]+\/route\.ts)`/g)].map(([, route = ""]) => route);
    const imports = readImports(ROOT);
    const lost = files.filter((file, index) => {
      const above = [...routes, ...files.slice(0, index)].filter((each) => each !== file);
      return !routes.includes(file) && !reachableFrom(above, imports).includes(file);
    });
    expect(lost).toEqual([]);
  });

  test("lists each folder that has directions, and no other", () => {
    const folders = Object.keys(DIRECTIONS);
    const outermost = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
    const there = outermost.filter((folder) => existsSync(join(ROOT, folder)));
    expect(firstCells("Folders").toSorted()).toEqual(there.toSorted());
  });
});

test("every folder of lib has directions", () => {
  const folders = [...readImports(ROOT).keys()].map((file) => /^lib\/[^/]+/.exec(file)?.[0]);
  const inLib = new Set(folders.filter((folder) => folder !== undefined));
  expect([...inLib].filter((folder) => !(folder in DIRECTIONS))).toEqual([]);
});

test("every link and citation of a heading in docs finds it", () => {
  const sources = globSync(
    ["{app,components,lib,scripts,e2e,prisma,docs}/**/*.{ts,tsx,mjs,sql,prisma,md}", "*.md"],
    { cwd: ROOT },
  );
  const cited = sources.flatMap((file) => citationsOf(file).map((citation) => ({ file, ...citation })));
  expect(cited.length).toBeGreaterThan(60);
  expect(cited.filter(({ document, anchor }) => !anchorsOf(document).has(anchor))).toEqual([]);
});

/** A document's path and a heading's anchor, as code cites them; links to headings in documents. */
function citationsOf(file: string): { document: string; anchor: string }[] {
  const text = read(file);
  const inCode = [...text.matchAll(/\b(docs\/[\w/-]+\.md)#([\w-]+)/g)];
  const folder = file.startsWith("docs/") ? join(file, "..") : ".";
  const inDocument = file.endsWith(".md") ? [...text.matchAll(/\]\(([\w./-]*\.md)?#([^)]+)\)/g)] : [];
  return [
    ...inCode.map(([, document = "", anchor = ""]) => ({ document, anchor })),
    ...inDocument.map(([, name, anchor = ""]) => ({ document: name ? join(folder, name) : file, anchor })),
  ];
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(document: string): Set<string> {
  if (!existsSync(join(ROOT, document))) return new Set();
  const headings = [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
