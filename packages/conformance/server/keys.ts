import { block, fail, type Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { expectUnsigned, type Try } from "../flow/responses.ts";
import type { SiteId } from "../texts/site.ts";
import type { Action, Code, Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.3: which keys are valid, and which are equal. */

const GROUP_P = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";

const coordinatesOf = ({ publicKey }: Wallet) => [publicKey.slice(2, 66), publicKey.slice(66)] as const;

/**
 * Expects each of these changed responses to be refused, without changing the state of the code.
 * @param action which code; checks alternate, so that they use both webhooks' limits evenly
 */
export function refuses(action: Action, triesOf: (wallet: Wallet, code: Code) => readonly Try[]) {
  return async (site: Site): Promise<void> => {
    const wallet = action === "login" ? await site.knownWallet() : new Wallet();
    const code = await site.issue({ action });
    await expectUnsigned(site, code, triesOf(wallet, code), wallet);
  };
}

function accepts(what: string, spell: (wallet: Wallet) => string) {
  return async (site: Site): Promise<void> => {
    const wallet = new Wallet();
    const code = await site.issueForNew();
    expectStatus(await site.respond(code, wallet, { public_key: spell(wallet) }), 200, what);
  };
}

export const KEY_CHECKS = {
  "1.3-compressed-accepted": accepts("a compressed key", ({ compressedKey }) => compressedKey),
  "1.3-letter-case": accepts("a key in upper case", ({ publicKey }) => publicKey.toUpperCase()),
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
  "1.3-other-forms": refuses("register", (wallet) => {
    const { publicKey, compressedKey } = wallet;
    const [x, y] = coordinatesOf(wallet);
    const isEven = compressedKey.startsWith("02");
    const forms = [
      ["the hybrid form", `${isEven ? "06" : "07"}${x}${y}`],
      ["x and y without a prefix", x + y],
      ["x alone", x],
      ["the compressed form with the other parity", (isEven ? "03" : "02") + x],
      ["a byte more", `${publicKey}00`],
      ["a byte less", publicKey.slice(0, -2)],
      ["0x in front", `0x${publicKey}`],
      ["white space around it", ` ${publicKey} `],
      ["a line break behind", `${publicKey}\n`],
      ["base64", Buffer.from(publicKey, "hex").toString("base64")],
      ["PEM of SubjectPublicKeyInfo", `3056301006072a8648ce3d020106052b8104000a034200${publicKey}`],
    ] as const;
    return forms.map(([what, public_key]) => [`a key as ${what}`, { public_key }]);
  }),
  "1.3-no-point": refuses("register", (wallet) => {
    const [x, y] = coordinatesOf(wallet);
    // The parity stays, so that a site which computes y from x and the parity finds the wallet's own key.
    const lastDigit = (Number.parseInt(y.slice(-1), 16) ^ 2).toString(16);
    const texts = [
      ["a point that is not on the curve", `04${x}${y.slice(0, -1)}${lastDigit}`],
      ["infinity", "00"],
      ["infinity in 65 bytes", "00".repeat(65)],
      ["04 and zeros", `04${"00".repeat(64)}`],
      ["an x that no point has", `02${"00".repeat(31)}05`],
      ["an x that is the field's order", `02${GROUP_P}`],
      ["coordinates above the field's order", `04${"ff".repeat(64)}`],
      ["nothing", ""],
      ["no hex", "zz".repeat(65)],
      ["an odd number of digits", wallet.publicKey.slice(0, -1)],
      ["full-width digits", "\uff10\uff14".repeat(65)],
    ] as const;
    return texts.map(([what, public_key]) => [`a key that is ${what}`, { public_key }]);
  }),
} satisfies Rules<Site, SiteId>;
