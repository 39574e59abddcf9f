import { Marked, type Token, type Tokens } from "marked";

/** GitHub creates the same anchor, so that links work both here and there. */
export type GuideHeading = { depth: number; text: string; anchor: string };

export type Guide = {
  title: string;
  /** The blocks after the page's title. */
  blocks: Token[];
  /** In order, without the title. */
  headings: GuideHeading[];
};

export type Picture = Tokens.Image & {
  width?: string;
  height?: string;
  /** The screenshot for the dark theme. */
  dark?: string;
};

export type TabbedCode = Tokens.Generic & {
  type: "tabs";
  tabs: readonly { name: string; code: Tokens.Code }[];
};

/** The HTML comment before code samples that are shown as tabs. A bold line above each sample names its tab. */
const TABS = /^<!-- tabs -->\s*$/;

/** A screenshot for each theme, in the HTML that GitHub supports. */
const SCREENSHOT =
  /^<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img alt="([^"]+)" src="([^"]+)" width="(\d+)" height="(\d+)">\s*<\/picture>\s*$/;

const markdown = new Marked({ gfm: true });

/** The file's first heading is its title. */
export function parseGuide(text: string): Guide {
  const tokens = markdown.lexer(text);
  const anchorOf = anchorMaker();
  const headings = tokens.flatMap((token) => {
    if (token.type !== "heading") return [];
    const heading = extractPlainText(token.tokens ?? []);
    return [{ depth: Number(token.depth), text: heading, anchor: anchorOf(heading) }];
  });
  const [title, ...rest] = headings;
  const titleIndex = tokens.findIndex(({ type }) => type === "heading");
  const blocks = tokens.slice(titleIndex + 1).filter(({ type }) => type !== "space");
  return { title: title?.text ?? "", blocks: joinTabs(blocks).map(readScreenshot), headings: rest };
}

/** Replaces each `TABS` comment and the code samples below it with one block. */
function joinTabs(blocks: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as Token;
    if (!(block.type === "html" && TABS.test(block.raw))) {
      joined.push(block);
      continue;
    }
    const tabs: TabbedCode["tabs"][number][] = [];
    for (; ; index += 2) {
      const [label, code] = blocks.slice(index + 1, index + 3);
      if (label?.type !== "paragraph" || code?.type !== "code") break;
      tabs.push({ name: extractPlainText(label.tokens ?? []), code: code as Tokens.Code });
    }
    joined.push({ type: "tabs", raw: "", tabs });
  }
  return joined;
}

/** Returns any other block unchanged. */
function readScreenshot(block: Token): Token {
  const [raw, dark, text = "", href = "", width, height] = SCREENSHOT.exec(block.raw) ?? [];
  if (block.type !== "html" || raw === undefined) return block;
  const picture: Picture = { type: "image", raw, text, href, title: null, tokens: [], dark, width, height };
  return { type: "paragraph", raw, text, tokens: [picture] };
}

/** Omits HTML. */
export function extractPlainText(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type !== "html")
    .map((token) =>
      "tokens" in token && token.tokens ? extractPlainText(token.tokens) : "text" in token ? token.text : "",
    )
    .join("");
}

/** Follows GitHub: for equal headings, the second gets `-1`, the third `-2`. */
function anchorMaker(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}
