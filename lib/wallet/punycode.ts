/*
 * Punycode to Unicode (RFC 3492), only to show a person what a name would look like elsewhere. Names
 * themselves stay in ASCII.
 */
const [BASE, T_MIN, T_MAX, SKEW, DAMP, INITIAL_BIAS, INITIAL_N] = [36, 1, 26, 38, 700, 72, 128];
const MAX_CODE_POINT = 0x10ffff;

/** A host name as it would be written in its own letters; labels that do not decode stay as they are. */
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
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(label[at++]);
      if (digit === null) return null;
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
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

function adapt(delta: number, length: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
