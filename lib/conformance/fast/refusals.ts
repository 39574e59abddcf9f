import { Blocked, fail, type Rule } from "../check.ts";
import { type AddressKind, BitcoinWallet, type Fields } from "./bitcoin-wallet.ts";
import { type Changes, expectAnswer, type FastCode, type FastSite, pathOf } from "./site.ts";

/** A response that is to be refused: what is wrong with it, its fields, and where it goes if not to the code's URL. */
export type Try = readonly [what: string, fields: Partial<Fields>, path?: string];

/**
 * Sends one response after the other to one code.
 * @throws {Failure} unless each is refused with 401 and nobody is let in; {Blocked} where one uses up the code
 */
export async function expectUnverified(site: FastSite, code: FastCode, tries: readonly Try[]): Promise<void> {
  for (const [index, [what, fields, path = pathOf(code)]] of tries.entries()) {
    const answer = await site.postForm(path, fields);
    if (answer.status === 400 && index > 0) {
      throw new Blocked(`After a refused response the challenge is not found any more: ${what}.`);
    }
    expectAnswer(answer, 401, what);
  }
  if (await site.isAnswered(code.sid)) fail("The login is answered though every response was refused.");
}

/** A check that changes of correct responses are refused with 401, and leave the challenge as it was. */
export function refusesFields(
  id: string,
  proves: string,
  cause: string,
  changesOf: Changes,
  kind: AddressKind = "p2pkh",
): Rule<FastSite> {
  return {
    ...{ id, proves, cause },
    async run(site) {
      const wallet = new BitcoinWallet(kind);
      const code = await site.issue();
      const tries = changesOf(wallet, code.qr).map(
        ([what, changes]): Try => [what, wallet.fields(code.qr, changes)],
      );
      await expectUnverified(site, code, tries);
    },
  };
}
