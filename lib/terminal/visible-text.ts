/** What strangers wrote, as it may be shown: nothing in it is obeyed by a terminal, and nothing in it is unseen. */

/**
 * Controls (escape, C1, backspace, …), direction marks and other formats, lone surrogates, what Unicode has not
 * assigned, line and paragraph separators, and whatever takes no room: joiners, variation selectors, tags.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The blocks that Unicode keeps for letters from right to left, which turn round what stands beside them. */
const RIGHT_TO_LEFT =
  /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{feff}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

/** Several lines, with `\u001b` and the like in place of what is not to be seen. JSON stays the same JSON. */
export function visibleText(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(UNSEEN, escaped))
    .join("\n");
}

/** The same on one line, to stand beside words of our own: it breaks no line and turns none round. */
export function visibleLine(text: string): string {
  return text.replace(UNSEEN, escaped).replace(RIGHT_TO_LEFT, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
