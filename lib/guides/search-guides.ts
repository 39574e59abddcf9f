import type { Token, Tokens } from "marked";
import { type Guide, plainText } from "./parse-guide.ts";

/** A place in the documentation that a link can lead to: a section of a guide, or an entry of the reference. */
export type SearchPlace = {
  href: string;
  /** The page with the place. */
  page: string;
  /** Empty for the text in front of a page's first heading. */
  heading: string;
  /** Search terms in addition to its text: paths, fields, errors. */
  terms: readonly string[];
  text: string;
};

/** A search result, with an excerpt in pieces: those that match, and those between. */
export type FoundPlace = Pick<SearchPlace, "href" | "page" | "heading"> & {
  excerpt: { text: string; matches: boolean }[];
};

const MOST_RESULTS = 20;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 160;

/** A guide in sections, one for each heading. */
export function placesOf(guide: Guide, path: string): SearchPlace[] {
  const places = [{ href: path, page: guide.title, heading: "", terms: [], text: "" }];
  const headings = guide.headings.values();
  for (const block of guide.blocks) {
    if (block.type === "heading") {
      const { anchor, text } = headings.next().value ?? { anchor: "", text: "" };
      places.push({ href: `${path}#${anchor}`, page: guide.title, heading: text, terms: [], text: "" });
    } else {
      const place = places.at(-1);
      if (place) place.text = `${place.text} ${textOf(block)}`.replace(/\s+/g, " ").trim();
    }
  }
  return places;
}

function textOf(block: Token): string {
  if (block.type === "list")
    return (block as Tokens.List).items.map(({ tokens }) => textsOf(tokens)).join(" ");
  if (block.type === "table") {
    const { header, rows } = block as Tokens.Table;
    return [header, ...rows].map((cells) => cells.map(({ tokens }) => plainText(tokens)).join(" ")).join(" ");
  }
  if (block.type === "blockquote") return textsOf(block.tokens ?? []);
  return plainText([block]);
}

function textsOf(blocks: readonly Token[]): string {
  return blocks.map(textOf).join(" ");
}

/** The places that hold every word of a query, in any letter case: names and terms before running text. */
export function searchPlaces(places: readonly SearchPlace[], query: string): FoundPlace[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return places
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_RESULTS)
    .map(({ place: { href, page, heading, terms, text }, score: _ }) => ({
      href,
      page,
      heading,
      excerpt: excerptOf([...terms.filter((term) => includesAny(term, words)), text].join(" · "), words),
    }));
}

function includesAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.toLowerCase().includes(word));
}

/** 0 if any of the words is missing. */
function scoreOf({ page, heading, terms, text }: SearchPlace, words: readonly string[]): number {
  const heads = heading.toLowerCase();
  const title = page.toLowerCase();
  const named = terms.map((term) => term.toLowerCase());
  const prose = text.toLowerCase();
  const scores = words.map((word) => {
    if (named.includes(word)) return 10;
    if (startsWord(heads || title, word)) return 9;
    if (heads.includes(word)) return 6;
    if (title.includes(word)) return 4;
    if (named.some((term) => term.includes(word))) return 4;
    if (startsWord(prose, word)) return 2;
    return prose.includes(word) ? 1 : 0;
  });
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0);
}

function startsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || (at > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)));
}

/** The part of a text around the first word that is found there. */
function excerptOf(text: string, words: readonly string[]): FoundPlace["excerpt"] {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const wanted = first === text.length ? 0 : Math.max(0, first - EXCERPT_BEFORE);
  const start = wanted === 0 ? 0 : text.indexOf(" ", wanted) + 1;
  const end = text.lastIndexOf(" ", start + EXCERPT_LENGTH);
  const cut = text.length <= start + EXCERPT_LENGTH ? text.slice(start) : `${text.slice(start, end)}…`;
  const marks = new RegExp(`(${words.map(escaped).join("|")})`, "i");
  return `${start > 0 ? "…" : ""}${cut}`
    .split(marks)
    .map((piece, index) => ({ text: piece, matches: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
