import { block, fail, type Rules } from "../check.ts";
import * as proofs from "../flow/proofs.ts";
import { acceptsProofs, expectUnsigned, type Try } from "../flow/responses.ts";
import { Wallet } from "../flow/wallet.ts";
import type { SiteId } from "../texts/site.ts";
import type { Action, Code, Site } from "./site.ts";

/**
 * Sections 1.3 and 1.4: which keys are valid and which are equal, the valid forms of a signature, and the bytes that it
 * covers.
 */

/**
 * Expects each of these changed responses to be refused, without changing the state of the code.
 * @param action which code; checks alternate, so that they use both webhooks' limits evenly
 */
function refuses(action: Action, triesOf: (wallet: Wallet, code: Code) => readonly Try[]) {
  return async (site: Site): Promise<void> => {
    const wallet = action === "login" ? await site.knownWallet() : new Wallet();
    const code = await site.issue({ action });
    await expectUnsigned(site, code, triesOf(wallet, code), wallet);
  };
}

const refusesProofs = (action: Action, proofsOf: proofs.Proofs) =>
  refuses(action, (wallet, { challenge }) => proofsOf(wallet, challenge));

export const SIGNATURE_CHECKS = {
  "1.3-compressed-accepted": acceptsProofs(proofs.compressedKeys),
  "1.3-letter-case": acceptsProofs(proofs.keysInCapitals),
  async "1.3-one-key-one-user"(site) {
    const { wallet, code } = await site.answered();
    const user = await site.userOf(code.sid);
    const { compressedKey, publicKey } = wallet;
    for (const public_key of [compressedKey, compressedKey.toUpperCase(), publicKey.toUpperCase()]) {
      const next = await site.issue();
      const { status } = await site.respond(next, wallet, { public_key });
      const spelling = `${public_key.slice(0, 6)}…`;
      // Another check tries whether this form is read at all.
      if (status === 406 || status === 400) block("This form of a key is refused here.");
      if (status !== 200) fail(`Registered as 04…, the key is answered ${status} as ${spelling}`);
      if ((await site.userOf(next.sid)) !== user) fail(`${spelling} is another user than 04…`);
    }
  },
  "1.3-other-forms": refusesProofs("register", proofs.otherKeyForms),
  "1.3-no-point": refusesProofs("register", proofs.noPoints),
  "1.4-high-s": acceptsProofs(proofs.highS),
  "1.4-low-s": acceptsProofs(proofs.lowS),
  "1.4-letter-case": acceptsProofs(proofs.signaturesInCapitals),
  "1.4-lengths": acceptsProofs(proofs.lengths),
  "1.4-der-lengths": refusesProofs("register", proofs.derLengths),
  "1.4-der-integers": refusesProofs("login", proofs.derIntegers),
  "1.4-der-trailing": refusesProofs("login", proofs.derTrailing),
  "1.4-der-tags": refusesProofs("login", proofs.derTags),
  "1.4-range": refusesProofs("register", proofs.range),
  "1.4-text": refusesProofs("login", proofs.textForms),
  "1.4-hashed-once": refusesProofs("register", proofs.otherHashes),
  "1.4-this-challenge": refuses("login", (wallet, { challenge, body }) => [
    ...proofs.otherTexts(wallet, challenge),
    ["a signature over the code's payload", { signature: wallet.sign(String(body.qr)) }],
  ]),
  "1.4-this-key": refusesProofs("login", proofs.otherKeys),
} satisfies Rules<Site, SiteId>;
