import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findConstructions } from "./constructions.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TEST = /\.(?:test|spec)\.tsx?$|^e2e\//;

function filesOf(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: ROOT, exclude: ["**/node_modules", "**/generated"] }).map((file) =>
    file.replaceAll("\\", "/"),
  );
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const code = filesOf("{app,components,e2e,lib,packages,scripts,tools}/**/*.{ts,tsx,mjs}");

/** Without code blocks, inline code and link targets. */
function proseOf(page: string): string {
  return read(page)
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "x")
    .replace(/\]\((?:[^()"]|"[^"]*")*\)/g, "]");
}

function commentsOf(file: string): string[] {
  const text = read(file);
  const blocks = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, comment = ""]) => comment);
  const lines = [...text.matchAll(/^\s*\/\/ ?(.*)$/gm)].map(([, comment = ""]) => comment);
  return [...blocks, ...lines].map((comment) => comment.replace(/\n\s*\*? ?/g, " "));
}

function titlesOf(file: string): string[] {
  const titles = read(file).matchAll(
    /\b(?:describe|test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])([\s\S]*?)\1/g,
  );
  return [...titles].map(([, , title = ""]) => title);
}

/** Each of these rules has exceptions. When the texts have improved, lower a number. Never raise one. */
const BUDGETS: [kind: string, perTenThousand: number, texts: () => string[]][] = [
  ["guides", 10, () => filesOf("*.md", "docs/*.md").map(proseOf)],
  ["decisions", 4, () => filesOf("docs/decisions/*.md").map(proseOf)],
  ["comments", 3, () => code.filter((file) => !TEST.test(file)).flatMap(commentsOf)],
  ["test titles", 4, () => code.filter((file) => TEST.test(file)).flatMap(titlesOf)],
];

test.each(BUDGETS)(
  "finds few of the constructions to avoid in the %s: at most %i in 10,000 words",
  (_kind, budget, texts) => {
    const all = texts().join("\n");
    const words = all.split(/\s+/).filter(Boolean).length;
    expect(words).toBeGreaterThan(10_000);
    const found = findConstructions(all);
    const rate = (found.length / words) * 10_000;
    const often = Object.entries(Object.groupBy(found, (word) => word.toLowerCase()))
      .toSorted(([, one], [, other]) => (other?.length ?? 0) - (one?.length ?? 0))
      .slice(0, 8)
      .map(([each, places]) => `${each}: ${places?.length}`);
    expect(rate, often.join(", ")).toBeLessThanOrEqual(budget);
  },
);

describe("the constructions to avoid", () => {
  test.each([
    ["with the standard library alone", "library alone"],
    ["a certificate of its own", "of its own"],
    ["Whoever records a response", "Whoever"],
    ["The browser is told that", "told"],
    ["While PostgreSQL is away", "is away"],
    ["the login was taken back", "taken back"],
  ])("are found: %j", (text, found) => {
    expect(findConstructions(text)).toEqual([found]);
  });

  test("are not found in ordinary sentences", () => {
    const text = "Only its own certificate is left alone. The server returns 404 immediately and continues.";
    expect(findConstructions(text)).toEqual([]);
  });
});
