import { createHash } from "node:crypto";
import { Blocked } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import type { Browser } from "../server/browser.ts";
import type { FastCode, FastSite } from "./site.ts";

const COOKIE = "svc-browser";

/** The cookie that binds the browser to the login. @throws {Blocked} where the answer sets none */
export function bindingOf({ answer }: Pick<FastCode, "answer">): Cookie {
  const { cookies } = answer;
  const named = cookies.find(({ name }) => name.endsWith(COOKIE));
  const cookie = named ?? cookies.find(({ value }) => value.length >= 16) ?? cookies[0];
  if (!cookie) throw new Blocked("The code's answer sets no cookie.");
  return cookie;
}

/** A thief knows what a code shows, and has a browser with a login of its own. */
export async function thief(site: FastSite): Promise<Browser> {
  const browser = site.browser();
  await site.issue(browser);
  return browser;
}

/** What a thief may try in place of the secret. */
export function guessesOf({ sid, challenge }: FastCode): string[] {
  const digest = createHash("sha256").update(sid).digest();
  return [sid, challenge, digest.toString("hex"), digest.toString("base64url"), "null", "undefined"];
}
