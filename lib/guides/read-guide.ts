import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Token, Tokens } from "marked";
import { extractPlainText, type Guide, type Picture, parseGuide } from "./parse-guide.ts";

/** The folder docs/ is next to the application, both in a clone and in a package. */
const FOLDER = join(/* turbopackIgnore: true */ process.cwd(), "docs");

let names: ReadonlySet<string> | null = null;
const guides = new Map<string, Promise<Guide>>();

/** Paths below docs/, sorted. No other file can be read. */
export function listGuideFiles(): ReadonlySet<string> {
  names ??= new Set(globSync("{*,decisions/*}.md", { cwd: FOLDER }).toSorted());
  return names;
}

/** URLs in the guides that mean this application, and not the reader's own site. */
const HERE = /http:\/\/localhost:3000(?=\/(?:v1|sandbox\/v1|console|docs|login\/hosted|conformance)\b)/g;

/**
 * Null if the page does not exist. Cached.
 * @param origin the application's origin, for links and examples
 */
export async function readGuide(file: string, origin: string): Promise<Guide | null> {
  if (!listGuideFiles().has(file)) return null;
  let guide = guides.get(file);
  if (!guide) {
    guide = readFile(join(FOLDER, file), "utf8").then((text) =>
      measurePictures(parseGuide(text.replace(HERE, origin))),
    );
    // In development, pages are not cached, because they can be edited.
    if (process.env.NODE_ENV === "production") guides.set(file, guide);
    guide.catch(() => guides.delete(file));
  }
  return guide;
}

/** With known sizes, the page does not move while loading. */
async function measurePictures(guide: Guide): Promise<Guide> {
  const pictures = guide.blocks
    .flatMap((block) => ("tokens" in block ? (block.tokens ?? []) : []))
    .filter((token): token is Picture => token.type === "image");
  for (const picture of pictures.filter(({ width }) => width === undefined)) {
    const drawing = await readFile(join(FOLDER, picture.href), "utf8");
    const [, width, height] = drawing.match(/viewBox="0 0 (\d+) (\d+)"/) ?? [];
    Object.assign(picture, { width, height });
  }
  return guide;
}

/** A heading in docs/README.md with the list of guides below it. */
export type GuideGroup = {
  title: string;
  /** The text between the heading and the list. */
  lead: string;
  guides: { href: string; name: string; about: string }[];
};

export function readGuideIndex({ blocks }: Guide): GuideGroup[] {
  const groups: GuideGroup[] = [];
  for (const block of blocks) {
    const group = groups.at(-1);
    if (block.type === "heading") groups.push({ title: String(block.text), lead: "", guides: [] });
    if (block.type === "paragraph" && group) group.lead = extractPlainText(block.tokens ?? []);
    if (block.type === "list") group?.guides.push(...listedGuides(block as Tokens.List));
  }
  return groups;
}

function listedGuides({ items }: Tokens.List): GuideGroup["guides"] {
  return items.flatMap(({ tokens, text }) => {
    const link = firstLink(tokens);
    const [, about = ""] = extractPlainText(tokens).split(/: (.*)/s);
    const startsWithCode = /\): `/.test(text);
    const sentence = startsWithCode ? about : about.charAt(0).toUpperCase() + about.slice(1);
    return link ? [{ href: link.href, name: link.text, about: sentence }] : [];
  });
}

function firstLink(tokens: readonly Token[]): Tokens.Link | null {
  for (const token of tokens) {
    if (token.type === "link") return token as Tokens.Link;
    const inner = "tokens" in token && token.tokens ? firstLink(token.tokens) : null;
    if (inner) return inner;
  }
  return null;
}

/** "/docs/guides/api" for "api.md". */
export function guidePath(file: string): string {
  const name = file.replace(/\.md$/, "");
  if (name === "README") return "/docs";
  if (name === "decisions/README") return "/docs/decisions";
  return name.startsWith("decisions/") ? `/docs/${name}` : `/docs/guides/${name}`;
}

/**
 * @param file the page that contains the link, relative to docs/: "decisions/0001-postgresql-everywhere.md"
 * @param href as written: "../protocol.md#41-the-binding-cookie"
 * @returns null if the application does not show the linked file, for example source code
 */
export function resolveGuideLink(file: string, href: string): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith("#")) return href;
  const [, picture] = href.match(/^(?:\.\.\/)+public(\/[\w.-]+)$/) ?? [];
  if (picture) return picture;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(file), path);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const page = target === "decisions/" ? "decisions/README.md" : target;
  return /^(?!\.\.\/)[a-z0-9/-]+\.md$|^(?:decisions\/)?README\.md$/.test(page)
    ? guidePath(page) + hash
    : null;
}
