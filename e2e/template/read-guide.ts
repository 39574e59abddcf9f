/** A fenced block of a guide. */
export type Listing = {
  /** The heading of its section, such as `5a. There is no NextAuth yet`. */
  section: string;
  /** The language in its fence; empty if there is none. */
  language: string;
  text: string;
  /** The path of the file that the block contains or changes; null if the line above names none. */
  path: string | null;
  /**
   * For a file: null if the block is the whole file, `added` if it is appended, otherwise the constant that it
   * replaces.
   */
  change: string | null;
};

/** A file that a guide shows in full, or text that changes one. */
export type GuideFile = Listing & { path: string };

const HEADING = /^#+ (?<heading>[^\n]+)$/;
const FILE = /`(?<path>[^`\n]+)`(?:, (?<added>added)|, in place of `(?<replaced>\w+)`)?:\n\n/;
const BLOCK = /(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^ *```$/;
const PARTS = new RegExp(`${HEADING.source}|^(?:${FILE.source})?^${BLOCK.source}`, "gms");

/** Returns the fenced blocks of a guide, in the order of the page. */
export function readListings(markdown: string): Listing[] {
  let section = "";
  return [...markdown.matchAll(PARTS)].flatMap(({ groups }) => {
    const { heading, path = null, added, replaced, language = "", text } = groups ?? {};
    section = heading ?? section;
    return text === undefined ? [] : [{ section, language, text, path, change: added ?? replaced ?? null }];
  });
}

/** Returns the files of a guide as they appear on its page: a line with the path, then a fenced block. */
export function readGuide(markdown: string): GuideFile[] {
  return readListings(markdown).filter((listing): listing is GuideFile => listing.path !== null);
}
