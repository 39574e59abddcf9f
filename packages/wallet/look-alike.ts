/**
 * docs/wallet.md, "Show and ask". `international`: the domain has letters beyond a–z and is shown as `written`.
 * `look_alike`: the domain resembles `known`, a different domain that this wallet has used.
 */
export type DomainWarning =
  | { kind: "international"; written: string }
  | { kind: "look_alike"; known: string };

/** Letters of other scripts and Latin letters beyond a–z, and the letters that they resemble. */
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
/** Too many other names differ from shorter names by only one letter. */
const MIN_TYPO_LENGTH = 5;
/** For example `co.uk` and `com.br`, under which names are registered. */
const TWO_LABEL_ENDING = /\.(?:ac|co|com|edu|go|gob|gov|gv|ltd|me|ne|net|nom|or|org|plc)\.[a-z]{2}$/;
/** Shorter words occur in too many other names. */
const MIN_WORD_LENGTH = 3;
/** Any site's name can contain these words, and imitations put them next to the imitated name. */
const COMMON_WORDS = new Set(
  (
    "access account accounts admin api app apps auth bank blog business center cloud co com connect console customer " +
    "dashboard demo dev direct docs forum get global go group help home host id info internet live login mail mobile " +
    "my net new news official online org page pages pay payment payments portal register safe secure security " +
    "server service services session shop sign signin site sso staff store support team test the update user users " +
    "verify wallet web webmail wiki world www"
  )
    .split(" ")
    .map(skeleton),
);

/**
 * A domain that the wallet already knows gets no look-alike warning.
 * @param knownDomains domains that this wallet has used
 */
export function findDomainWarnings(domain: string, knownDomains: readonly string[]): DomainWarning[] {
  const warnings: DomainWarning[] = [];
  if (domain.split(".").some((label) => label.startsWith("xn--"))) {
    warnings.push({ kind: "international", written: displayName(domain) });
  }
  if (knownDomains.includes(domain)) return warnings;
  const similarDomain = knownDomains.find((other) => resembles(domain, other));
  if (similarDomain) warnings.push({ kind: "look_alike", known: similarDomain });
  return warnings;
}

/** Without characters that hide or reverse text. */
function displayName(domain: string): string {
  return toUnicode(domain).replace(/[^\p{L}\p{N}\p{M}.-]/gu, "�");
}

function resembles(domain: string, knownDomain: string): boolean {
  const [shape, knownShape] = [skeleton(domain), skeleton(knownDomain)];
  if (shape === knownShape) return true;
  // A name's owner also owns every domain below it.
  if (ownedName(domain) === ownedName(knownDomain)) return false;
  if (shape.replaceAll(".", "").startsWith(knownShape.replaceAll(".", ""))) return true;
  const [name, knownName] = [skeleton(siteName(domain)), skeleton(siteName(knownDomain))];
  if (name === knownName) return true;
  if (knownName.length >= MIN_TYPO_LENGTH && differsByOneTypo(name, knownName)) return true;
  return !COMMON_WORDS.has(knownName) && containsName(domain, knownName);
}

/** Also finds the name joined to a common word: `examplelogin.com`. */
function containsName(domain: string, name: string): boolean {
  if (name.length < MIN_WORD_LENGTH) return false;
  const labels = toUnicode(domain).split(".").slice(0, -1);
  const words = labels.flatMap((label) => [label, ...label.split("-")]).map(skeleton);
  return words.some((word) => {
    if (word === name) return true;
    if (name.length < MIN_TYPO_LENGTH) return false;
    return (
      (word.startsWith(name) && COMMON_WORDS.has(word.slice(name.length))) ||
      (word.endsWith(name) && COMMON_WORDS.has(word.slice(0, -name.length)))
    );
  });
}

/** Look-alike letters become the same letter. */
function skeleton(domain: string): string {
  const letters = toUnicode(domain).normalize("NFKD").replace(/\p{M}/gu, "");
  const latin = Array.from(letters, (letter) => CONFUSABLE[letter] ?? letter).join("");
  return SHAPES.reduce((text, [shape, like]) => text.replace(shape, like), latin);
}

/** `example` for `www.example.com`, `example.net` and `example.co.uk`. */
function siteName(text: string): string {
  return ownedName(text).split(".")[0] ?? text;
}

/** `example.com` for `www.example.com`, `example.co.uk` for `www.example.co.uk`. */
function ownedName(domain: string): string {
  return domain
    .split(".")
    .slice(TWO_LABEL_ENDING.test(domain) ? -3 : -2)
    .join(".");
}

/** One letter was added, omitted or replaced, or two adjacent letters were swapped. */
function differsByOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/* Punycode (RFC 3492), only to show how other programs would display a name. Names themselves stay in ASCII. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP, INITIAL_BIAS, INITIAL_N] = [36, 1, 26, 38, 700, 72, 128];
const MAX_CODE_POINT = 0x10ffff;

/** Labels that cannot be decoded stay as they are. */
export function toUnicode(domain: string): string {
  return domain
    .split(".")
    .map((label) => (label.startsWith("xn--") ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join(".");
}

function decodeLabel(label: string): string | null {
  const dash = label.lastIndexOf("-");
  const output = Array.from(label.slice(0, Math.max(dash, 0)), (char) => char.charCodeAt(0));
  let [n, i, bias, at] = [INITIAL_N, 0, INITIAL_BIAS, dash + 1];
  while (at < label.length) {
    const previous = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(label[at++]);
      if (digit === null) return null;
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - previous, length, previous === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > MAX_CODE_POINT) return null;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function digitOf(char: string | undefined): number | null {
  if (char && /[a-z]/.test(char)) return char.charCodeAt(0) - 97;
  return char && /[0-9]/.test(char) ? Number(char) + 26 : null;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let remaining = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  remaining += Math.floor(remaining / length);
  let k = 0;
  for (; remaining > ((BASE - T_MIN) * T_MAX) / 2; k += BASE)
    remaining = Math.floor(remaining / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * remaining) / (remaining + SKEW));
}
