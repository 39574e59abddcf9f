/** A file that a guide shows in full, or text that it adds to one. */
export type GuideFile = {
  /** The heading that it stands under, such as `5a. There is no NextAuth yet`. */
  section: string;
  path: string;
  text: string;
  /** The text goes into the file that is there. */
  isAdded: boolean;
};

const HEADING = /^#+ (?<heading>[^\n]+)$/;
const FILE = /^`(?<path>[^`]+)`(?<added>, added)?:\n\n```\w+\n(?<text>.*?)^```$/;

/** The files of a guide, as they stand on its page: a line with the path, then a fenced block. */
export function readGuide(markdown: string): GuideFile[] {
  let section = "";
  return [...markdown.matchAll(new RegExp(`${HEADING.source}|${FILE.source}`, "gms"))].flatMap(
    ({ groups }) => {
      const { heading, path, added, text } = groups ?? {};
      section = heading ?? section;
      return path && text ? [{ section, path, text, isAdded: added !== undefined }] : [];
    },
  );
}
