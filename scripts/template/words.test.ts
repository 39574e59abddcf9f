import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOSTED, SITE, type Template } from "./templates.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "..", "..");

/** What a page would show: text between tags, and strings that begin like a sentence or a label. */
function sentencesIn(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "")
    .replace(/^(import|export) [^;]*? from "[^"]*";$|new Error\("[^"]*"\)/gm, "");
  // After a tag or a value, and before another. A type stands before `<` too, and is one word.
  const texts = [...code.matchAll(/[>}]([^<>{}=;()&"`]*)(?=<\/|([<{]))/g)].map(
    ([, text = "", isOpening]) => ({ text: text.trim(), isOpening }),
  );
  const strings = [...code.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, one, other]) => one ?? other ?? "");
  return [
    ...texts
      .filter(({ text, isOpening }) => (isOpening ? /[A-Za-z]{2}.* / : /[A-Za-z]{2}/).test(text))
      .map(({ text }) => text),
    // Names of the platform, which nobody reads: headers, tags, fields of a form.
    ...strings.filter((text) => /^\p{Lu}\p{Ll}+(?!\w*-\p{Lu})|\p{Ll} .*\p{L}[.…?!]$/u.test(text)),
  ];
}

/** The files of a site that make pages, where each of them comes from. */
function pagesOf({ own, copied }: Template): string[] {
  const ofItsOwn = own.flatMap(({ folder, files }) =>
    (files === "all" ? globSync("**/*.tsx", { cwd: join(HERE, folder) }) : files).map((path) =>
      join("scripts/template", folder, path),
    ),
  );
  return [...ofItsOwn, ...copied.flatMap(({ path, sources }) => sources ?? [path])].filter(
    (path) => path.endsWith(".tsx") && !/\/words\/|^scripts\/template\/\w+\/e2e/.test(path),
  );
}

describe.each([
  { what: "a site", template: SITE },
  { what: "a customer of the hosted API", template: HOSTED },
])("text for people on $what", ({ template }) => {
  test("is only in the file of its language", () => {
    const pages = pagesOf(template);
    expect(pages.length).toBeGreaterThan(12);
    const found = pages.flatMap((path) =>
      sentencesIn(readFileSync(join(ROOT, path), "utf8")).map((text) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

test.each([
  ["<p>You are signed in.</p>", "You are signed in."],
  ["<p>\n  {name} signs in with <b>{key}</b>\n</p>", "signs in with"],
  ['<Card title="Your notes" />', "Your notes"],
  ['setProblem("that did not work.")', "that did not work."],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source that is looked at
  ["return `Recovering user ${id}`;", "Recovering user ${id}"],
  ["<Button>Keep</Button>", "Keep"],
])("%j is found", (source, sentence) => {
  expect(sentencesIn(source)).toEqual([sentence]);
});

test.each([
  '<p className="grid gap-4 sm:flex">{words.title}</p>',
  'import { Button } from "@/components/ui.tsx";',
  "// A comment. It says a lot.\nconst a = 1;",
  'fetch(url, { headers: { "Content-Type": "application/json" } })',
])("%j holds none", (source) => {
  expect(sentencesIn(source)).toEqual([]);
});
