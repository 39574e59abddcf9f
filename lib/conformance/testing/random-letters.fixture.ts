import { randomInt } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 32 letters and digits: the random part of a challenge. */
export function randomLetters(): string {
  return Array.from({ length: 32 }, () => ALPHABET[randomInt(62)]).join("");
}
