import { fail, type Rule, runsLast } from "../check.ts";
import { bodyOf } from "../http-client.ts";
import type { Code, Flow, LoginSite } from "./flow.ts";

/** Checks sections 1.1 to 1.7: the contents of a code. */

export const LIFETIME_SECONDS = 30;

/** The `Date` header, by which checks compare clocks, has whole seconds and can come from a proxy. */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** Does not validate the parts (docs/protocol.md#11-challenge). */
export function splitChallenge({ challenge }: Pick<Code, "challenge">) {
  const [, action = "", domain = "", timestamp = "", nonce = ""] = challenge.split(":");
  return { action, domain, timestamp, nonce };
}

export function checkEveryCode<Site extends Flow>(
  examine: (code: Site["run"]["codes"][number], site: Site) => void,
): Rule<Site> {
  return runsLast(async (site) => {
    for (const code of await site.codesOfRun()) examine(code, site);
  });
}

/**
 * Even if a request names a different host.
 * @param isOwn returns whether a response contains a code for this site
 */
export function ignoresForeignHosts(
  isOwn: (body: Record<string, unknown>, target: LoginSite["target"]) => boolean,
) {
  return async ({ http, target }: LoginSite): Promise<void> => {
    for (const [name, value] of [
      ["X-Forwarded-Host", "evil.example"],
      ["X-Forwarded-Proto", "gopher"],
      ["Forwarded", "host=evil.example"],
      ["Host", "evil.example"],
    ] as const) {
      const answer = await http.send({ path: target.qr, headers: { [name]: value } });
      // A server with several hosts may refuse a host that it does not know.
      if (answer.status < 400 && !isOwn(bodyOf(answer), target))
        fail(`With ${name}: ${value} the response is ${answer.text.slice(0, 300)}.`);
    }
  };
}

/** Each text must differ from the previous one in at least half of its characters. */
export function expectDistinct(texts: readonly string[], what: string): void {
  for (const [index, text] of texts.slice(1).entries()) {
    const before = texts[index] ?? "";
    const same = [...text].filter((symbol, at) => symbol === before[at]).length;
    if (same > text.length / 2) fail(`${what} look alike: ${before} and ${text}.`);
  }
}

/** A version 4 UUID has 122 random bits. */
const RANDOM_BITS = 120;

/**
 * At least 120 random bits.
 * @param largest the size of the alphabet, unless the texts contain only digits, or letters in only one case
 */
export function expectRandom(texts: readonly string[], largest: 62 | 64, what: string): void {
  if (new Set(texts).size < texts.length) fail(`Two ${what} are the same.`);
  const bits = unpredictableBits(texts, largest);
  if (bits < RANDOM_BITS) fail(`Only about ${Math.round(bits)} bits of ${texts.length} ${what} vary.`);
}

/** An estimate: the number of characters that differ between texts, times the bits of a character in their alphabet. */
function unpredictableBits(texts: readonly string[], largest: 62 | 64): number {
  const shortest = Math.min(...texts.map((text) => text.length));
  const columns = Array.from({ length: shortest }, (_, index) => new Set(texts.map((text) => text[index])));
  const sizes: readonly [RegExp, number][] = [
    [/^[0-9-]*$/, 10],
    [/^[0-9a-f-]*$/i, 16],
    [/^([0-9a-z_-]*|[0-9A-Z_-]*)$/, 36],
  ];
  const alphabet = sizes.find(([pattern]) => pattern.test(texts.join("")))?.[1] ?? largest;
  return columns.filter((column) => column.size > 2).length * Math.log2(alphabet);
}
