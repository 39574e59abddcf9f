import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Token, type Tokens, walkTokens } from "marked";
import { describe, expect, test } from "vitest";
import { type Guide, parseGuide } from "./parse-guide.ts";
import { guidePath, readGuideIndex, resolveGuideLink } from "./read-guide.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const files = globSync("{*,decisions/*}.md", { cwd: DOCS }).map((file) => file.replaceAll("\\", "/"));
const guides = new Map(files.map((file) => [file, parseGuide(readFileSync(join(DOCS, file), "utf8"))]));

function linksOf(blocks: readonly Token[]): string[] {
  const links: string[] = [];
  walkTokens([...blocks], (token) => {
    if (token.type === "link" || token.type === "image") links.push(token.href);
  });
  return links;
}

/** Must create the same anchors as `components/docs/markdown.tsx`. */
function anchorsOf({ headings, blocks }: Guide): string[] {
  const texts = blocks.flatMap((block) =>
    block.type === "table" ? (block as Tokens.Table).rows.map(([first]) => first?.text) : block.raw,
  );
  const marked = texts.flatMap((text) => text?.match(/^<a id="([\w-]+)"><\/a>/)?.[1] ?? []);
  return [...headings.map(({ anchor }) => anchor), ...marked];
}

describe("the anchor of a heading", () => {
  const anchors = (text: string) => parseGuide(`# Title\n${text}`).headings.map(({ anchor }) => anchor);

  // The anchors that GitHub creates for these headings.
  test.each([
    ["## 4.1 The binding cookie", "41-the-binding-cookie"],
    ["## 3.2 `POST /webhook/login`, `POST /webhook/register`", "32-post-webhooklogin-post-webhookregister"],
    ["## `login.html`", "loginhtml"],
    ["## What you get: a_b -- c", "what-you-get-a_b----c"],
    ["## Größe & *Maß*", "größe--maß"],
    ["## [Linked](x.md) text", "linked-text"],
  ])("is derived from its text: %s is #%s", (heading, anchor) => expect(anchors(heading)).toEqual([anchor]));

  test("ends with a number if the same anchor already exists", () => {
    expect(anchors("## Errors\n## Limits\n## Errors\n### Errors")).toEqual([
      "errors",
      "limits",
      "errors-1",
      "errors-2",
    ]);
  });
});

describe("a screenshot", () => {
  const html = (source: string) => `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="../public/x-dark.webp">
  <img alt="A page" src="${source}" width="640" height="400">
</picture>
`;

  test("is parsed into a light and a dark picture with their dimensions", () => {
    const [block] = parseGuide(`# Title\n\n${html("../public/x.webp")}\nMore.\n`).blocks.filter(
      ({ type }) => type !== "space",
    );
    expect(block).toMatchObject({ type: "paragraph", tokens: [{ type: "image", text: "A page" }] });
    expect(block && "tokens" in block && block.tokens?.[0]).toMatchObject({
      ...{ href: "../public/x.webp", dark: "../public/x-dark.webp", width: "640", height: "400" },
    });
  });

  test("is the only HTML that the parser accepts", () => {
    for (const other of [html('x" onerror="y'), `${html("x")}<script>1</script>`, "<img src=x>"]) {
      const blocks = parseGuide(`# Title\n\n${other}`).blocks;
      expect(blocks.map(({ type }) => type)).not.toContain("paragraph");
    }
  });
});

describe("a page in docs/", () => {
  test.each([...guides])("has a title, and contains only working links: %s", (file, guide) => {
    expect(guide.title).not.toBe("");
    for (const href of linksOf(guide.blocks).filter((link) => !/^https?:/.test(link))) {
      const [path = "", anchor] = href.split("#");
      const target = path === "" ? file : posix.join(posix.dirname(file), path);
      const page = path === "" ? guide : guides.get(target);
      if (page && anchor !== undefined) expect(anchorsOf(page), `${file}: ${href}`).toContain(anchor);
      if (!page) expect(globSync(target, { cwd: DOCS }), `${file}: ${href}`).toHaveLength(1);
    }
  });

  test("is listed in docs/README.md unless it is a decision record", () => {
    const index = guides.get("README.md");
    const hrefs = index ? readGuideIndex(index).flatMap((group) => group.guides.map(({ href }) => href)) : [];
    // The list can also contain links to sections.
    const listed = hrefs.filter((href) => !href.includes("#"));
    const pages = files.filter((file) => file !== "README.md" && !file.startsWith("decisions/"));
    expect(listed.toSorted()).toEqual([...pages, "decisions/"].toSorted());
  });

  test("is listed in docs/decisions/README.md if it is a decision record", () => {
    const listed = linksOf(guides.get("decisions/README.md")?.blocks ?? []).map(
      (href) => `decisions/${href}`,
    );
    const records = files.filter((file) => /^decisions\/\d/.test(file));
    expect(listed.toSorted()).toEqual(records.toSorted());
  });
});

describe("a link in a page", () => {
  test.each([
    ["api.md", "events.md#verify-it", "/docs/guides/events#verify-it"],
    ["api.md", "#limits", "#limits"],
    ["api.md", "decisions/0001-postgresql-everywhere.md", "/docs/decisions/0001-postgresql-everywhere"],
    ["README.md", "decisions/", "/docs/decisions"],
    [
      "decisions/0004-the-bound-browser.md",
      "../protocol.md#41-the-binding-cookie",
      "/docs/guides/protocol#41-the-binding-cookie",
    ],
    ["decisions/0004-the-bound-browser.md", "0006-high-s.md", "/docs/decisions/0006-high-s"],
    ["api.md", "README.md", "/docs"],
    ["api.md", "https://www.standardwebhooks.com", "https://www.standardwebhooks.com"],
    ["api.md", "../README.md#status", null],
    ["guarantees.md", "../app/_security/source.test.ts", null],
    ["protocol.md", "../public/diagram-login.svg", "/diagram-login.svg"],
    ["decisions/0004-the-bound-browser.md", "../../public/diagram-login.svg", "/diagram-login.svg"],
    ["protocol.md", "../public/../package.json", null],
    ["api.md", "javascript:alert(1)", null],
    ["api.md", "//evil.example/x.md", null],
  ])("%s: %s points to %s", (file, href, expected) => expect(resolveGuideLink(file, href)).toBe(expected));

  test("points to the path at which the site shows the linked page", () => {
    for (const file of files) expect(resolveGuideLink("README.md", file)).toBe(guidePath(file));
  });
});
