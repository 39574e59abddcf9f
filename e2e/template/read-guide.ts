/** A file that a guide shows in full, or text that changes one. */
export type GuideFile = {
  /** The heading that it stands under, such as `5a. There is no NextAuth yet`. */
  section: string;
  path: string;
  text: string;
  /** Null for the whole file; `added` for text that is added to it; else the constant that the text replaces. */
  change: string | null;
};

const HEADING = /^#+ (?<heading>[^\n]+)$/;
const FILE =
  /^`(?<path>[^`]+)`(?:, (?<added>added)|, in place of `(?<replaced>\w+)`)?:\n\n```\w+\n(?<text>.*?)^```$/;

/** The files of a guide, as they stand on its page: a line with the path, then a fenced block. */
export function readGuide(markdown: string): GuideFile[] {
  let section = "";
  return [...markdown.matchAll(new RegExp(`${HEADING.source}|${FILE.source}`, "gms"))].flatMap(
    ({ groups }) => {
      const { heading, path, added, replaced, text } = groups ?? {};
      section = heading ?? section;
      return path && text ? [{ section, path, text, change: added ?? replaced ?? null }] : [];
    },
  );
}
