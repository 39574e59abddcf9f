import { createHash } from "node:crypto";
import { Blocked } from "./check.ts";
import type { Cookie } from "./cookies.ts";
import type { LoginCode } from "./flow/login-site.ts";

/** Section 4: what binds a browser to its login, and what a thief may try in its place. */

const COOKIE = "svc-browser";

/** The cookie that binds the browser to the login. @throws {Blocked} where the answer sets none */
export function bindingOf({ answer: { cookies } }: Pick<LoginCode, "answer">): Cookie {
  const named = cookies.find(({ name }) => name.endsWith(COOKIE));
  const cookie = named ?? cookies.find(({ value }) => value.length >= 16) ?? cookies[0];
  if (!cookie) throw new Blocked("The code's answer sets no cookie.");
  return cookie;
}

/** What somebody might make a secret from, who knows this text. */
export function hashesOf(text: string): string[] {
  const digest = createHash("sha256").update(text).digest();
  return [digest.toString("hex"), digest.toString("base64url")];
}

/** What a thief may try in place of the secret, who knows the sid and another text of the code. */
export function guessesOf(sid: string, shown: string): string[] {
  return [sid, shown, ...hashesOf(sid), "null", "undefined"];
}
