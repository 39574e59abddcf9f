import { Blocked } from "../check.ts";
import { expectAccepted, refusalOf } from "../expect-status.ts";
import type { AnsweredCode, Code, Site } from "./site.ts";

/** What the checks of section 11 look at and leave as it is, made once in a run: it has few codes. */

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** A code on the screen of a browser that says what it is. */
export async function shownBy(site: Site, userAgent: string): Promise<Code> {
  const browser = site.browser();
  const answer = await browser.send({
    path: `${site.target.qr}?mode=login`,
    headers: { "User-Agent": userAgent },
  });
  const body = (answer.json ?? {}) as Record<string, unknown>;
  const { sid, challenge } = body;
  if (typeof sid !== "string" || typeof challenge !== "string")
    throw new Blocked(`The site gives no code: ${refusalOf(answer)}`);
  const code: Code = { sid, challenge, answer, body, browser, action: "login" };
  site.run.codes.push(code);
  return code;
}

/** A code of a browser that is new and says that it is Chrome, answered by the known wallet and never redeemed. */
export function answeredCode(site: Site): Promise<AnsweredCode> {
  site.run.answered ??= answerOne(site);
  return site.run.answered.catch((error) => {
    delete site.run.answered;
    throw error;
  });
}

async function answerOne(site: Site): Promise<AnsweredCode> {
  const wallet = await site.knownWallet();
  const code = await shownBy(site, CHROME);
  const answer = await site.respond(code, wallet);
  expectAccepted(answer);
  return { code, told: (answer.json ?? {}) as Record<string, unknown> };
}
