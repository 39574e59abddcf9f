import { Marked, type Token, type Tokens } from "marked";

/** A heading with the anchor that GitHub gives it, so that a link to it works in both places. */
export type GuideHeading = { depth: number; text: string; anchor: string };

/** A page of docs/, taken apart. */
export type Guide = {
  title: string;
  /** The blocks after the title. */
  blocks: Token[];
  /** In the order of the page, the title left out. */
  headings: GuideHeading[];
};

/** A drawing with the size that its file names. */
export type Picture = Tokens.Image & { width?: string; height?: string };

const markdown = new Marked({ gfm: true });

/** Takes a Markdown file apart; its first heading is its title. */
export function parseGuide(text: string): Guide {
  const tokens = markdown.lexer(text);
  const anchorOf = anchorMaker();
  const headings = tokens.flatMap((token) => {
    if (token.type !== "heading") return [];
    const heading = plainText(token.tokens ?? []);
    return [{ depth: Number(token.depth), text: heading, anchor: anchorOf(heading) }];
  });
  const [title, ...rest] = headings;
  const first = tokens.findIndex(({ type }) => type === "heading");
  return { title: title?.text ?? "", blocks: tokens.slice(first + 1), headings: rest };
}

/** The text of inline tokens, without their marks and without HTML. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type !== "html")
    .map((token) =>
      "tokens" in token && token.tokens ? plainText(token.tokens) : "text" in token ? token.text : "",
    )
    .join("");
}

/** Names the anchors of one page as GitHub does: of equal ones the second gets `-1`, the third `-2`. */
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
