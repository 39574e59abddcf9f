export type Listing = {
  section: string;
  /** "" if the block has no language. */
  language: string;
  text: string;
  /** The file that the block contains or changes; null if the line above the block contains no path. */
  path: string | null;
  /** Null if the block is the complete file, `added` if it is appended, otherwise the constant that it replaces. */
  change: string | null;
};

export type GuideFile = Listing & { path: string };

const HEADING = /^#+ (?<heading>[^\n]+)$/;
const FILE = /`(?<path>[^`\n]+)`(?:, (?<added>added)|, in place of `(?<replaced>\w+)`)?:\n\n/;
const BLOCK = /(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^ *```$/;
const PARTS = new RegExp(`${HEADING.source}|^(?:${FILE.source})?^${BLOCK.source}`, "gms");

export function readListings(markdown: string): Listing[] {
  let section = "";
  return [...markdown.matchAll(PARTS)].flatMap(({ groups }) => {
    const { heading, path = null, added, replaced, language = "", text } = groups ?? {};
    section = heading ?? section;
    return text === undefined ? [] : [{ section, language, text, path, change: added ?? replaced ?? null }];
  });
}

/** In their order on the page. Each file is a line with its path, followed by a code block. */
export function readGuide(markdown: string): GuideFile[] {
  return readListings(markdown).filter((listing): listing is GuideFile => listing.path !== null);
}
