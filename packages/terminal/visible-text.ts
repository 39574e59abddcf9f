/** The result cannot control the terminal, and all its characters are visible. */

/**
 * Controls (escape, C1, backspace, …), direction marks and other formats, lone surrogates, unassigned characters, line
 * and paragraph separators, and zero-width characters: joiners, variation selectors, tags.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The Unicode blocks of letters that reorder neighbouring text. */
const RIGHT_TO_LEFT =
  /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{feff}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

/** Invisible characters become `\u001b` and the like. Escaped JSON has the same meaning. */
export function toVisibleText(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(INVISIBLE, escaped))
    .join("\n");
}

/** For text within a line of other text: it can neither break the line nor reverse it. */
export function toVisibleLine(text: string): string {
  return text.replace(INVISIBLE, escaped).replace(RIGHT_TO_LEFT, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
