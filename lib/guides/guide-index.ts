import type { Token, Tokens } from "marked";
import type { Guide } from "./parse-guide.ts";

/** A list of guides under a heading, as docs/README.md has it. */
export type GuideGroup = { title: string; guides: { href: string; name: string }[] };

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
