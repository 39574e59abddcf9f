/** A code block in a guide. */
export type Listing = {
  /** The heading of the section, such as `5a. There is no NextAuth yet`. */
  section: string;
  /** The language of the block, or "" if there is none. */
  language: string;
  text: string;
  /** The path of the file that the block contains or changes; null if the line above the block contains none. */
  path: string | null;
  /**
   * What the block does with its file: null if it is the complete file, `added` if it is appended, otherwise the
   * constant that it replaces.
   */
  change: string | null;
};

/** A complete file from a guide, or text that changes one. */
export type GuideFile = Listing & { path: string };

const HEADING = /^#+ (?<heading>[^\n]+)$/;
const FILE = /`(?<path>[^`\n]+)`(?:, (?<added>added)|, in place of `(?<replaced>\w+)`)?:\n\n/;
const BLOCK = /(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^ *```$/;
const PARTS = new RegExp(`${HEADING.source}|^(?:${FILE.source})?^${BLOCK.source}`, "gms");

/** Returns the code blocks in a guide, in their order on the page. */
export function readListings(markdown: string): Listing[] {
  let section = "";
  return [...markdown.matchAll(PARTS)].flatMap(({ groups }) => {
    const { heading, path = null, added, replaced, language = "", text } = groups ?? {};
    section = heading ?? section;
    return text === undefined ? [] : [{ section, language, text, path, change: added ?? replaced ?? null }];
  });
}

/**
 * Returns the files in a guide, in their order on the page. Each file is a line with its path, followed by a code
 * block.
 */
export function readGuide(markdown: string): GuideFile[] {
  return readListings(markdown).filter((listing): listing is GuideFile => listing.path !== null);
}
