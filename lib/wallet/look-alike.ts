import { toUnicode } from "./punycode.ts";

/**
 * What makes a domain worth a second look (docs/wallet.md, "Show and ask"):
 * `international`: letters beyond a–z, shown as `written`; `look_alike`: it resembles `known`, a domain
 * that this wallet has been to, without being it.
 */
export type DomainWarning =
  | { kind: "international"; written: string }
  | { kind: "look_alike"; known: string };

/** Letters of other scripts that pass for Latin ones, and digits and pairs that do. */
const CONFUSABLE: Record<string, string> = Object.fromEntries(
  (
    "аa еe оo рp сc хx уy іi јj ѕs һh ԁd ԛq ԝw ӏl ьb кk мm тt вb нh гr пn αa εe οo ρp ιi κk νv υu χx γy ηn τt ωw σo " +
    "ıi ɡg ɑa ʟl ḷl ŀl łl øo đd ħh ŧt æa œo þp ßb"
  )
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const SHAPES: [RegExp, string][] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
  [/0/g, "o"],
  [/[1i|]/g, "l"],
  [/5/g, "s"],
  [/-/g, ""],
];
/** Shorter names differ by one letter from too many others. */
const MIN_TYPO_LENGTH = 5;
/** A label before the last one that is as short as this belongs to the ending: `co.uk`, `com.br`. */
const SHORT_ENDING = 3;

/**
 * What to call out about a domain before it is approved. A domain that has been seen resembles itself
 * only, so it gets no warning for that.
 * @param known domains that this wallet has been to
 */
export function domainWarnings(domain: string, known: readonly string[]): DomainWarning[] {
  const warnings: DomainWarning[] = [];
  if (domain.split(".").some((label) => label.startsWith("xn--"))) {
    warnings.push({ kind: "international", written: displayName(domain) });
  }
  if (known.includes(domain)) return warnings;
  const resembled = known.find((other) => resembles(domain, other));
  if (resembled) warnings.push({ kind: "look_alike", known: resembled });
  return warnings;
}

/** The name in its own letters, without any that hide or turn text round. */
function displayName(domain: string): string {
  return toUnicode(domain).replace(/[^\p{L}\p{N}\p{M}.-]/gu, "�");
}

function resembles(domain: string, known: string): boolean {
  // A subdomain or parent of a known site is its owner's to give away.
  if (domain.endsWith(`.${known}`) || known.endsWith(`.${domain}`)) return false;
  const [mine, theirs] = [skeleton(domain), skeleton(known)];
  if (mine === theirs) return true;
  // `example.com.evil.test`, `example-com.evil.test`
  if (mine.replaceAll(".", "").startsWith(theirs.replaceAll(".", ""))) return true;
  const [name, knownName] = [siteName(mine), siteName(theirs)];
  if (name === knownName) return true;
  return knownName.length >= MIN_TYPO_LENGTH && isOneSlipAway(name, knownName);
}

/** What is left of a name when everything that looks alike is written alike. */
function skeleton(domain: string): string {
  const letters = toUnicode(domain).normalize("NFKD").replace(/\p{M}/gu, "");
  const latin = Array.from(letters, (letter) => CONFUSABLE[letter] ?? letter).join("");
  return SHAPES.reduce((text, [shape, like]) => text.replace(shape, like), latin);
}

/** `example` of `www.example.com`, of `example.net` and of `example.co.uk`. */
function siteName(text: string): string {
  const [name = text, before] = text.split(".").slice(0, -1).reverse();
  return before && name.length <= SHORT_ENDING ? before : name;
}

/** One letter more, fewer, other, or two that changed places. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left[0] === right[1] && left[1] === right[0];
}
