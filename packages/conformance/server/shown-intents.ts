import type { Browser } from "../browser.ts";
import { block, fail, type Rules, skip } from "../check.ts";
import { expectStatus, refusalOf } from "../expect-status.ts";
import { isErrorBody } from "../flow/errors.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import type { Code, Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/**
 * Section 3.6: a code's intent is not signed, so the wallet reports the one that it showed, and the site compares it.
 */

function expectMismatch(answer: Answer, what: string): void {
  expectStatus(answer, 406, what);
  const { json } = answer;
  if (isErrorBody(json) && json.error.code !== "intent_mismatch")
    fail(`${what}: the error is \`${json.error.code}\` instead of \`intent_mismatch\`.`);
}

/**
 * A code with which a signed-in browser requests an approval.
 * @throws {NotApplicable} if the site does not support it; {Blocked} if it returns something else
 */
export async function approvalCode(site: Site, browser: Browser): Promise<Pick<Code, "sid" | "challenge">> {
  const answer = await site.askForCode(browser, { mode: "login", intent: "approve" });
  const { sid, challenge } = bodyOf(answer);
  const said = `The site gives a signed-in browser no code to approve with: ${refusalOf(answer)}`;
  if (answer.status >= 400 && answer.status < 500) skip(said);
  if (answer.status !== 200 || typeof sid !== "string" || typeof challenge !== "string") block(said);
  return { sid, challenge };
}

export const SHOWN_INTENT_CHECKS = {
  async "3.6-intent-added"(site) {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    for (const intent of ["add", "steal", ""]) {
      const what = `intent: ${JSON.stringify(intent)} at a code without one`;
      expectMismatch(await site.respond(code, wallet, { intent }), what);
    }
    expectStatus(await site.respond(code, wallet, { intent: null }), 200, "intent: null after that");
  },
  async "3.6-intent-dropped"(site) {
    const wallet = await site.knownWallet();
    const code = await approvalCode(site, await site.signedInBrowser(wallet));
    for (const intent of [null, "add"]) {
      const what = `intent: ${JSON.stringify(intent)} at a code to approve with`;
      expectMismatch(await site.respond(code, wallet, { intent }), what);
    }
    expectStatus(await site.respond(code, wallet, { intent: "approve" }), 200, "its own intent");
  },
  async "3.6-intent-untold"(site) {
    const wallet = await site.knownWallet();
    const code = await approvalCode(site, await site.signedInBrowser(wallet));
    expectStatus(await site.respond(code, wallet), 200, "no intent");
  },
  async "3.2-order-intent"(site) {
    const answer = await site.respond(await site.issue(), new Wallet(), { intent: "approve" });
    expectMismatch(answer, "another intent and an unknown key");
  },
} satisfies Rules<Site, SiteId>;
