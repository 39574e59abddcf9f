import { fail, type Rule } from "../check.ts";
import { bodyOf } from "../http-client.ts";
import type { LoginSite } from "./flow.ts";

/** Sections 1.1 to 1.7: what a site writes into a code. */

/** A clock is judged by the `Date` header, which has whole seconds and may be a proxy's. */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** Holds for every code that the run was given. */
export function ofEveryCode<Site extends LoginSite>(
  judge: (code: Site["run"]["codes"][number], site: Site) => void,
): Pick<Rule<Site>, "looksBack" | "run"> {
  return {
    looksBack: true,
    async run(site) {
      for (const code of await site.givenCodes()) judge(code, site);
    },
  };
}

/** A code is for this site, whatever host a request names. @param isOwn whether an answer is */
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
      // A server of many names may refuse a foreign one.
      if (answer.status < 400 && !isOwn(bodyOf(answer), target))
        fail(`With ${name}: ${value} the answer is ${answer.text.slice(0, 300)}.`);
    }
  };
}

/**
 * What of texts cannot be told in advance, in bits: positions that vary, by the alphabet that they use.
 * @param largest how many characters there are, unless the texts have digits alone, or letters of one case
 */
export function unpredictableBits(texts: readonly string[], largest: 62 | 64): number {
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
