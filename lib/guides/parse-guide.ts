import { Marked, type Token, type Tokens } from "marked";

/** A heading with the anchor that GitHub gives it, so that a link to it works both here and on GitHub. */
export type GuideHeading = { depth: number; text: string; anchor: string };

/** A parsed page in docs/. */
export type Guide = {
  title: string;
  /** The blocks after the title. */
  blocks: Token[];
  /** In the order of the page, without the title. */
  headings: GuideHeading[];
};

/** A drawing or a screenshot with its size. */
export type Picture = Tokens.Image & {
  width?: string;
  height?: string;
  /** The screenshot for dark mode. */
  dark?: string;
};

/** Alternative blocks of code, such as one for each language. */
export type TabbedCode = Tokens.Generic & {
  type: "tabs";
  tabs: readonly { name: string; code: Tokens.Code }[];
};

/** The HTML comment above blocks of code that are shown as tabs. Each block has its tab's name in bold above it. */
const TABS = /^<!-- tabs -->\s*$/;

/** A screenshot for light mode and one for dark mode, in the form that GitHub displays. */
const SCREENSHOT =
  /^<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img alt="([^"]+)" src="([^"]+)" width="(\d+)" height="(\d+)">\s*<\/picture>\s*$/;

const markdown = new Marked({ gfm: true });

/** Parses a Markdown file. Its first heading is its title. */
export function parseGuide(text: string): Guide {
  const tokens = markdown.lexer(text);
  const anchorOf = anchorMaker();
  const headings = tokens.flatMap((token) => {
    if (token.type !== "heading") return [];
    const heading = plainText(token.tokens ?? []);
    return [{ depth: Number(token.depth), text: heading, anchor: anchorOf(heading) }];
  });
  const [title, ...rest] = headings;
  const titleIndex = tokens.findIndex(({ type }) => type === "heading");
  const blocks = tokens.slice(titleIndex + 1).filter(({ type }) => type !== "space");
  return { title: title?.text ?? "", blocks: joinTabs(blocks).map(readScreenshot), headings: rest };
}

/** Replaces each comment `TABS` and the code below it with one block. */
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
      tabs.push({ name: plainText(label.tokens ?? []), code: code as Tokens.Code });
    }
    joined.push({ type: "tabs", raw: "", tabs });
  }
  return joined;
}

/** Returns an HTML block with a screenshot as a paragraph with a picture, and any other block unchanged. */
function readScreenshot(block: Token): Token {
  const [raw, dark, text = "", href = "", width, height] = SCREENSHOT.exec(block.raw) ?? [];
  if (block.type !== "html" || raw === undefined) return block;
  const picture: Picture = { type: "image", raw, text, href, title: null, tokens: [], dark, width, height };
  return { type: "paragraph", raw, text, tokens: [picture] };
}

/** Returns the text of inline tokens, without their marks and without HTML. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type !== "html")
    .map((token) =>
      "tokens" in token && token.tokens ? plainText(token.tokens) : "text" in token ? token.text : "",
    )
    .join("");
}

/** Names the anchors of one page as GitHub does: the second of several equal anchors gets `-1`, the third `-2`. */
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
