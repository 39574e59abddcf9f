import { Blocked, fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { refusesChanges } from "../flow/responses.ts";
import type { Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 1.3: which keys are keys, and which are the same. */

const GROUP_P = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";

/** The same point in forms that are not of this protocol, each with a signature that would verify. */
function otherForms({ publicKey, compressedKey }: Wallet): [string, string][] {
  const [x, y] = [publicKey.slice(2, 66), publicKey.slice(66)];
  const isOdd = Number.parseInt(y.slice(-1), 16) % 2 === 1;
  const parity = compressedKey.startsWith("02") ? "03" : "02";
  return [
    ["the hybrid form", `${isOdd ? "07" : "06"}${x}${y}`],
    ["x and y without a prefix", x + y],
    ["x alone", x],
    ["the compressed form with the other parity", parity + x],
    ["a byte more", `${publicKey}00`],
    ["a byte less", publicKey.slice(0, -2)],
    ["0x in front", `0x${publicKey}`],
    ["white space around it", ` ${publicKey} `],
    ["a line break behind", `${publicKey}\n`],
    ["base64", Buffer.from(publicKey, "hex").toString("base64")],
    ["PEM of SubjectPublicKeyInfo", `3056301006072a8648ce3d020106052b8104000a034200${publicKey}`],
  ];
}

/** Texts that are no point of the curve. */
function noPoints({ publicKey }: Wallet): [string, string][] {
  const [x, y] = [publicKey.slice(2, 66), publicKey.slice(66)];
  const lastDigit = (Number.parseInt(y.slice(-1), 16) ^ 1).toString(16);
  return [
    ["a point beside the curve", `04${x}${y.slice(0, -1)}${lastDigit}`],
    ["infinity", "00"],
    ["infinity in 65 bytes", "00".repeat(65)],
    ["04 and zeros", `04${"00".repeat(64)}`],
    ["an x that no point has", `02${"00".repeat(31)}05`],
    ["an x that is the field's order", `02${GROUP_P}`],
    ["coordinates above the field's order", `04${"ff".repeat(64)}`],
    ["nothing", ""],
    ["no hex", "zz".repeat(65)],
    ["an odd number of digits", publicKey.slice(0, -1)],
    ["full-width digits", "\uff10\uff14".repeat(65)],
  ];
}

export const KEY_CHECKS: readonly Rule<Site>[] = [
  {
    id: "1.3-compressed-accepted",
    proves: "A key may be sent in its compressed form.",
    cause: "The key's length is compared with 130 digits.",
    async run(site) {
      const wallet = new Wallet();
      const code = await site.issueForNew();
      const answer = await site.respond(code, wallet, { public_key: wallet.compressedKey });
      expectStatus(answer, 200, "a compressed key");
    },
  },
  {
    id: "1.3-letter-case",
    proves: "A key may be sent in any letter case.",
    cause: "A pattern for hex that knows lower case alone.",
    async run(site) {
      const wallet = new Wallet();
      const code = await site.issueForNew();
      const answer = await site.respond(code, wallet, {
        public_key: wallet.publicKey.toUpperCase(),
      });
      expectStatus(answer, 200, "a key in upper case");
    },
  },
  {
    id: "1.3-one-key-one-user",
    proves: "A key is the same user in every spelling: compressed or not, upper or lower case.",
    cause: "The key is stored and compared as it was sent.",
    async run(site) {
      const { wallet, code } = await site.answered();
      const user = await site.userOf(code.sid);
      const upper = wallet.publicKey.toUpperCase();
      const spellings = [wallet.compressedKey, wallet.compressedKey.toUpperCase(), upper];
      for (const public_key of spellings) {
        const next = await site.issue();
        const answer = await site.respond(next, wallet, { public_key });
        // That the form is read at all is another check's.
        if (answer.status === 406 || answer.status === 400)
          throw new Blocked("This form of a key is refused here.");
        if (answer.status !== 200)
          fail(`Registered as 04…, the key is answered ${answer.status} as ${public_key.slice(0, 6)}…`);
        if ((await site.userOf(next.sid)) !== user)
          fail(`${public_key.slice(0, 6)}… is another user than 04…`);
      }
    },
  },
  {
    id: "1.3-other-forms",
    proves: "Every other form of a key is refused with 406, though its signature would verify.",
    cause:
      "The library that reads keys takes hybrid forms, prefixes or white space, and nothing stands before it.",
    run: (site) =>
      refusesChanges(site, new Wallet(), (wallet) =>
        otherForms(wallet).map(([what, public_key]) => [`a key as ${what}`, { public_key }]),
      ),
  },
  {
    id: "1.3-no-point",
    proves: "What is no point of the curve is refused with 406, and breaks nothing.",
    cause: "An exception of the library becomes a 500, or a text is read up to its first wrong character.",
    run: (site) =>
      refusesChanges(site, new Wallet(), (wallet) =>
        noPoints(wallet).map(([what, public_key]) => [`a key that is ${what}`, { public_key }]),
      ),
  },
];
