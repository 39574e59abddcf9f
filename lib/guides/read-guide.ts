import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Token, Tokens } from "marked";
import { type Guide, parseGuide } from "./parse-guide.ts";

/** The files of docs/, which lie beside the application in a clone and in a package. */
const FOLDER = join(/* turbopackIgnore: true */ process.cwd(), "docs");

let names: ReadonlySet<string> | null = null;
const guides = new Map<string, Promise<Guide>>();

/** The files that can be read, relative to docs/, sorted. No other name leads to a file. */
export function guideFiles(): ReadonlySet<string> {
  names ??= new Set(globSync("{*,decisions/*}.md", { cwd: FOLDER }).toSorted());
  return names;
}

/** A page of docs/, taken apart once; null for a name that is none of them. */
export async function readGuide(file: string): Promise<Guide | null> {
  if (!guideFiles().has(file)) return null;
  let guide = guides.get(file);
  if (!guide) {
    guide = readFile(join(FOLDER, file), "utf8").then(parseGuide);
    // What is being written is read again.
    if (process.env.NODE_ENV === "production") guides.set(file, guide);
    guide.catch(() => guides.delete(file));
  }
  return guide;
}

/** A list of guides under a heading, as docs/README.md has it. */
type GuideGroup = { title: string; guides: { href: string; name: string }[] };

/** The groups of docs/README.md: of each item of a list the first link. */
export function guideIndex({ blocks }: Guide): GuideGroup[] {
  const groups: GuideGroup[] = [];
  for (const block of blocks) {
    if (block.type === "heading") groups.push({ title: String(block.text), guides: [] });
    if (block.type === "list") {
      for (const item of (block as Tokens.List).items) {
        const link = firstLink(item.tokens);
        if (link) groups.at(-1)?.guides.push({ href: link.href, name: link.text });
      }
    }
  }
  return groups;
}

function firstLink(tokens: readonly Token[]): Tokens.Link | null {
  for (const token of tokens) {
    if (token.type === "link") return token as Tokens.Link;
    const inner = "tokens" in token && token.tokens ? firstLink(token.tokens) : null;
    if (inner) return inner;
  }
  return null;
}

/** The page of the application that shows a file of docs/: "/docs/guides/api" for "api.md". */
export function guidePath(file: string): string {
  const name = file.replace(/\.md$/, "");
  if (name === "README") return "/docs";
  return name.startsWith("decisions/") ? `/docs/${name}` : `/docs/guides/${name}`;
}

/**
 * Where a link of a page leads in the application.
 * @param file the page that it stands on, relative to docs/: "decisions/0001-postgresql-everywhere.md"
 * @param href as it is written: "../protocol.md#41-the-binding-cookie"
 * @returns null for a file that the application does not show, such as source code
 */
export function resolveGuideLink(file: string, href: string): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith("#")) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(file), path);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (target === "decisions/") return "/docs/decisions";
  return /^(?!\.\.\/)[a-z0-9/-]+\.md$|^README\.md$/.test(target) ? guidePath(target) + hash : null;
}
