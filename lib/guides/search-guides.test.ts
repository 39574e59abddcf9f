import { describe, expect, test } from "vitest";
import { parseGuide } from "./parse-guide.ts";
import { createSearchEntries, createSearchIndex, searchGuides } from "./search-guides.ts";

const guide = parseGuide(`# Limits

Every client has some.

## What is counted

| path | a minute |
|---|---|
| \`/api/svc/qr\` | 120 |

- a **list** of things

## Retry-After

\`\`\`sh
curl --json '{"a": 1}'
\`\`\`
`);
const places = [
  ...createSearchEntries(guide, "/docs/guides/limits"),
  {
    href: "/docs/api#x",
    page: "API reference",
    heading: "Create domain",
    terms: ["quota_exceeded"],
    text: "One more.",
  },
];
const index = createSearchIndex(places);
const hrefs = (query: string) => searchGuides(index, query).map(({ href }) => href);

describe("the searchable sections of a guide", () => {
  test("are its introduction and its headings, with their anchors", () => {
    expect(places.map(({ href }) => href)).toEqual([
      "/docs/guides/limits",
      "/docs/guides/limits#what-is-counted",
      "/docs/guides/limits#retry-after",
      "/docs/api#x",
    ]);
  });

  test.each([
    ["a table", "/api/svc/qr", "#what-is-counted"],
    ["a list", "things", "#what-is-counted"],
    ["code", "--json", "#retry-after"],
    ["a paragraph", "client", ""],
  ])("contain the text of every kind of block: %s", (_what, query, anchor) => {
    expect(hrefs(query)).toEqual([`/docs/guides/limits${anchor}`]);
  });
});

describe("a search", () => {
  test("finds sections that contain every word, in any letter case and order", () => {
    expect(hrefs("COUNTED 120")).toEqual(["/docs/guides/limits#what-is-counted"]);
    expect(hrefs("counted quota_exceeded")).toEqual([]);
  });

  test("finds a term and shows it in the excerpt", () => {
    const [found] = searchGuides(index, "quota_exceeded");
    expect(found?.href).toBe("/docs/api#x");
    expect(found?.excerpt[0]).toEqual({ text: "quota_exceeded", matches: true });
  });

  test("ranks a match in a heading above a match in running text", () => {
    const namedPlace = { href: "/b", page: "B", heading: "Undo", terms: [], text: "" };
    const mentioningPage = { href: "/a", page: "A", heading: "Other", terms: [], text: "to undo it" };
    expect(
      searchGuides(createSearchIndex([mentioningPage, namedPlace]), "undo").map(({ href }) => href),
    ).toEqual(["/b", "/a"]);
  });

  test("ranks a page about the subject above a matching heading, and a guide above a rule of the protocol", () => {
    const guide = {
      href: "/guide",
      page: "G",
      heading: "",
      terms: [],
      text: "",
      about: "retries of webhooks",
    };
    const rule = { href: "/rule", page: "R", heading: "Webhook", terms: ["webhook"], text: "", weight: 0.4 };
    const heading = { href: "/heading", page: "H", heading: "Webhooks", terms: [], text: "" };
    const found = searchGuides(createSearchIndex([rule, heading, guide]), "webhook");
    expect(found.map(({ href }) => href)).toEqual(["/guide", "/heading", "/rule"]);
  });

  test.each([
    ["domains", "Create domain"],
    ["retried", "The retry"],
    ["logout", "How to sign out"],
    ["log out", "Signing out"],
    ["pricing", "What it costs"],
    ["lost device", "You lose the phone"],
  ])("finds other forms of a word, and synonyms: %s in %s", (query, heading) => {
    const place = { href: "/a", page: "A", heading, terms: [], text: "" };
    expect(searchGuides(createSearchIndex([place]), query)).toHaveLength(1);
  });

  test.each([
    ["class", "clas"],
    ["status", "statement"],
    ["address", "add"],
  ])("distinguishes different words: %s, %s", (query, heading) => {
    const place = { href: "/a", page: "A", heading, terms: [], text: "" };
    expect(searchGuides(createSearchIndex([place]), query)).toEqual([]);
  });

  test("shortens a long text to an excerpt around the match", () => {
    const text = `${"before ".repeat(50)}needle${" after".repeat(50)}`;
    const [found] = searchGuides(
      createSearchIndex([{ href: "/a", page: "A", heading: "", terms: [], text }]),
      "needle",
    );
    const excerptText = found?.excerpt.map((piece) => piece.text).join("") ?? "";
    expect(excerptText).toMatch(/^…before .*needle.* after…$/);
    expect(text).toContain(excerptText.slice(1, -1));
    expect(excerptText.length).toBeLessThan(200);
  });

  test.each(["", "   ", "\\", "(", "[a", "*", "a".repeat(10_000)])("accepts any query: %s", (query) => {
    expect(() => searchGuides(index, query)).not.toThrow();
  });

  test("returns no results for an empty query", () => expect(hrefs("  ")).toEqual([]));
});
