/**
 * The reason why the user should look closely at a domain (docs/wallet.md, "Show and ask"). `international`: the domain
 * has letters beyond a–z and is shown as `written`. `look_alike`: the domain resembles `known`, a different domain that
 * this wallet has used.
 */
export type DomainWarning =
  | { kind: "international"; written: string }
  | { kind: "look_alike"; known: string };

/** Maps letters of other scripts and Latin letters beyond a–z to the letters that they resemble. */
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
/**
 * Shorter names are not checked for typing errors, because too many other names differ from them by only one letter.
 */
const MIN_TYPO_LENGTH = 5;
/** Two-label endings under which names are registered: `co.uk`, `com.br`. */
const TWO_LABEL_ENDING = /\.(?:ac|co|com|edu|go|gob|gov|gv|ltd|me|ne|net|nom|or|org|plc)\.[a-z]{2}$/;
/** Shorter names are not searched for as words, because they occur in too many other names. */
const MIN_WORD_LENGTH = 3;
/**
 * Words that any site's name can contain. They do not identify a site, and imitations put them next to the imitated
 * name.
 */
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
 * Returns the warnings that must be shown before the user approves a domain. A domain that the wallet already knows
 * gets no look-alike warning.
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

/** Returns the name in its own script, without characters that hide or reverse text. */
function displayName(domain: string): string {
  return toUnicode(domain).replace(/[^\p{L}\p{N}\p{M}.-]/gu, "�");
}

function resembles(domain: string, knownDomain: string): boolean {
  const [shape, knownShape] = [skeleton(domain), skeleton(knownDomain)];
  if (shape === knownShape) return true;
  // A name's owner also owns every domain below it.
  if (ownedName(domain) === ownedName(knownDomain)) return false;
  // Detects names such as `example.com.evil.test` and `example-com.evil.test`.
  if (shape.replaceAll(".", "").startsWith(knownShape.replaceAll(".", ""))) return true;
  const [name, knownName] = [skeleton(siteName(domain)), skeleton(siteName(knownDomain))];
  if (name === knownName) return true;
  if (knownName.length >= MIN_TYPO_LENGTH && differsByOneTypo(name, knownName)) return true;
  return !COMMON_WORDS.has(knownName) && containsName(domain, knownName);
}

/** Returns whether `name` is a word in the domain, or is joined there to a common word: `examplelogin.com`. */
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

/** Returns the name with each group of look-alike letters replaced by one letter. */
function skeleton(domain: string): string {
  const letters = toUnicode(domain).normalize("NFKD").replace(/\p{M}/gu, "");
  const latin = Array.from(letters, (letter) => CONFUSABLE[letter] ?? letter).join("");
  return SHAPES.reduce((text, [shape, like]) => text.replace(shape, like), latin);
}

/** Returns the site's name: `example` for `www.example.com`, `example.net` and `example.co.uk`. */
function siteName(text: string): string {
  return ownedName(text).split(".")[0] ?? text;
}

/** Returns the registered name: `example.com` for `www.example.com`, `example.co.uk` for `www.example.co.uk`. */
function ownedName(domain: string): string {
  return domain
    .split(".")
    .slice(TWO_LABEL_ENDING.test(domain) ? -3 : -2)
    .join(".");
}

/**
 * Returns whether two names differ by one letter that was added, omitted or replaced, or by two adjacent letters that
 * were swapped.
 */
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

/* Decodes Punycode (RFC 3492), only to show how other programs would display a name. Names themselves stay in ASCII. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP, INITIAL_BIAS, INITIAL_N] = [36, 1, 26, 38, 700, 72, 128];
const MAX_CODE_POINT = 0x10ffff;

/** Returns a host name in its own script. Labels that cannot be decoded stay as they are. */
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
