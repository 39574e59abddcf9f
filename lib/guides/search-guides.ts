import type { Token, Tokens } from "marked";
import { extractPlainText, type Guide, type TabbedCode } from "./parse-guide.ts";

/** A section of a guide, or an entry of the API reference. */
export type SearchEntry = {
  href: string;
  /** The page's title. */
  page: string;
  /** Empty for the text before a page's first heading. */
  heading: string;
  /** Search terms in addition to the text, such as paths, fields and error codes. */
  terms: readonly string[];
  text: string;
  /** Set only for the page's introduction. */
  about?: string;
  /** Multiplies the score. The default is 1. */
  weight?: number;
};

/** The excerpt is split into matching and other parts. */
export type SearchResult = Pick<SearchEntry, "href" | "page" | "heading"> & {
  excerpt: { text: string; matches: boolean }[];
};

const MAX_RESULTS = 20;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 160;

/** Creates one for each heading. */
export function createSearchEntries(guide: Guide, path: string, about = "", weight = 1): SearchEntry[] {
  const page = { page: guide.title, terms: [], text: "", weight };
  const entries: SearchEntry[] = [{ ...page, href: path, heading: "", about }];
  const headings = guide.headings.values();
  for (const block of guide.blocks) {
    if (block.type === "heading") {
      const { anchor, text } = headings.next().value ?? { anchor: "", text: "" };
      entries.push({ ...page, href: `${path}#${anchor}`, heading: text });
    } else {
      const entry = entries.at(-1);
      if (entry) entry.text = `${entry.text} ${textOf(block)}`.replace(/\s+/g, " ").trim();
    }
  }
  return entries;
}

function textOf(block: Token): string {
  if (block.type === "list")
    return (block as Tokens.List).items.map(({ tokens }) => textsOf(tokens)).join(" ");
  if (block.type === "table") {
    const { header, rows } = block as Tokens.Table;
    return [header, ...rows]
      .map((cells) => cells.map(({ tokens }) => extractPlainText(tokens)).join(" "))
      .join(" ");
  }
  if (block.type === "blockquote") return textsOf(block.tokens ?? []);
  if (block.type === "tabs") return textsOf((block as TabbedCode).tabs.map(({ code }) => code));
  return extractPlainText([block]);
}

function textsOf(blocks: readonly Token[]): string {
  return blocks.map(textOf).join(" ");
}

/** Synonyms, as returned by `normalise`. The search replaces each word with the first word of its line. */
const SYNONYMS = new Map(
  [
    ["signout", "logout", "logoff", "signoff"],
    ["price", "pric", "cost", "fee"],
    ["phone", "smartphone", "mobile", "device"],
    ["lost", "lose", "los", "loss", "stolen"],
    ["retry", "resend", "redeliver"],
  ].flatMap(([word = "", ...synonyms]) => synonyms.map((synonym) => [synonym, word])),
);

/**
 * Replaces word forms and synonyms with one common form. The number of words does not change, so a word has the same
 * position in the result as in the text.
 */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/(?:sign|log)(?:s|ed|ing)? o(?:ut|ff)/g, "signout signout")
    .replace(/(?:sign|log)(?:s|ed|ing)?-o(?:ut|ff)/g, "signout")
    .replace(/\p{L}+/gu, (word) => {
      const stem = stemOf(word);
      return SYNONYMS.get(stem) ?? stem;
    });
}

function stemOf(word: string): string {
  if (word.length < 4) return word;
  if (/ie[sd]$/.test(word)) return `${word.slice(0, -3)}y`;
  const [ending = ""] = /(?:ing|ed|[^s]s)$/.exec(word) ?? [];
  const length = ending.endsWith("s") ? 1 : ending.length;
  return word.length - length < 3 ? word : word.slice(0, word.length - length);
}

type NormalisedEntry = { entry: SearchEntry } & Record<
  "about" | "heading" | "page" | "terms" | "text",
  string
>;

export function createSearchIndex(entries: readonly SearchEntry[]): NormalisedEntry[] {
  return entries.map((entry) => ({
    entry,
    about: normalise(entry.about ? `${entry.page} ${entry.about}` : ""),
    heading: normalise(entry.heading),
    page: normalise(entry.page),
    terms: ` ${normalise(entry.terms.join("  "))} `,
    text: normalise(entry.text),
  }));
}

/**
 * Results contain every word of the query in any form. Matches in headings and titles rank above matches in the text.
 */
export function searchGuides(index: readonly NormalisedEntry[], query: string): SearchResult[] {
  const words = normalise(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return index
    .map((normal) => ({ normal, score: scoreOf(normal, words) * (normal.entry.weight ?? 1) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ normal: { entry } }) => {
      const { href, page, heading, terms, text, about = "" } = entry;
      const matching = [...terms, about].filter((term) => includesAny(normalise(term), words));
      return { href, page, heading, excerpt: excerptOf([...matching, text].join(" · "), words) };
    });
}

function includesAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word));
}

/** 0 if a word is missing. */
function scoreOf({ about, heading, page, terms, text }: NormalisedEntry, words: readonly string[]): number {
  const scores = words.map((word) =>
    Math.max(
      12 * Number(startsWord(about, word)),
      10 * Number(terms.includes(` ${word} `)),
      9 * Number(startsWord(heading || page, word)),
      6 * Number(heading.includes(word)),
      4 * Number(page.includes(word) || terms.includes(word)),
      2 * Number(startsWord(text, word)),
      Number(text.includes(word)),
    ),
  );
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0);
}

function startsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || (at > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)));
}

/** The excerpt is around the first match. */
function excerptOf(text: string, words: readonly string[]): SearchResult["excerpt"] {
  const normal = normalise(text);
  const firstMatch = Math.min(
    ...words.map((word) => normal.indexOf(word)).filter((at) => at >= 0),
    normal.length,
  );
  const lengthBefore = text.split(" ", normal.slice(0, firstMatch).split(" ").length - 1).join(" ").length;
  const excerptStart = firstMatch === normal.length ? 0 : Math.max(0, lengthBefore - EXCERPT_BEFORE);
  const start = excerptStart === 0 ? 0 : text.indexOf(" ", excerptStart) + 1;
  const end = text.lastIndexOf(" ", start + EXCERPT_LENGTH);
  const cut = text.length <= start + EXCERPT_LENGTH ? text.slice(start) : `${text.slice(start, end)}…`;
  const pieces: SearchResult["excerpt"] = [];
  for (const piece of `${start > 0 ? "…" : ""}${cut}`.split(/([\s·…()`,;:]+)/)) {
    const matches = includesAny(normalise(piece), words);
    const last = pieces.at(-1);
    if (last && last.matches === matches) last.text += piece;
    else pieces.push({ text: piece, matches });
  }
  return pieces.filter((piece) => piece.text !== "");
}
