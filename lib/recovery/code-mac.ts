import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { CODE_ALPHABET, checkCharacter } from "./code.ts";

/**
 * What the database holds of recovery codes: HMAC-SHA-256 under a key that HKDF-SHA-256 makes from NEXTAUTH_SECRET. A
 * copy of the database alone can neither be searched for codes nor tried against guesses.
 */

const CODE_BYTES = 15;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;

/** A new code's 24 characters, 5 random bits each. */
export function newCode(): string {
  for (;;) {
    const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const characters = bits.replace(/.{5}/g, (five) => CODE_ALPHABET[Number.parseInt(five, 2)] ?? "");
    if (checkCharacter(characters) !== null) return characters;
  }
}

/** The MAC of a code's characters under one of the site's secrets. */
export function codeMac(characters: string, secret: string): Buffer {
  return createHmac("sha256", derive(secret, "svc-login recovery code v1", KEY_BYTES))
    .update(characters)
    .digest();
}

/** Names the secret that a code's MAC was made under, and tells nothing of it. */
export function keyIdOf(secret: string): Buffer {
  return derive(secret, "svc-login recovery key id v1", KEY_ID_BYTES);
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, bytes));
}
