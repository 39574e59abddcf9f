import type { Browser } from "../browser.ts";
import { Blocked, fail, NotApplicable, type Rules } from "../check.ts";
import { expectStatus, refusalOf } from "../expect-status.ts";
import { isErrorBody } from "../flow/errors.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { Code, Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Section 3.6: a code's intent is not signed, so a wallet says what it showed, and the site compares. */

function expectMismatch(answer: Answer, what: string): void {
  expectStatus(answer, 406, what);
  const { json } = answer;
  if (isErrorBody(json) && json.error.code !== "intent_mismatch")
    fail(`${what}: the error is \`${json.error.code}\` instead of \`intent_mismatch\`.`);
}

/**
 * A code by which a signed-in browser has a change approved.
 * @throws {NotApplicable} if the site has none; {Blocked} if it gives something else
 */
export async function approvalCode(site: Site, browser: Browser): Promise<Pick<Code, "sid" | "challenge">> {
  const answer = await site.askForCode(browser, { mode: "login", intent: "approve" });
  const { sid, challenge } = bodyOf(answer);
  const said = `The site gives a signed-in browser no code to approve with: ${refusalOf(answer)}`;
  if (answer.status >= 400 && answer.status < 500) throw new NotApplicable(said);
  if (answer.status !== 200 || typeof sid !== "string" || typeof challenge !== "string")
    throw new Blocked(said);
  return { sid, challenge };
}

export const SHOWN_INTENT_CHECKS: Rules<Site> = {
  "3.6-intent-added": {
    proves:
      "At a code without an intent a response that showed one is refused with 406 and spends nothing; null is right.",
    cause:
      "The field is ignored, so nobody learns that a relay has changed the question; or null is a wrong text.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      for (const intent of ["add", "steal", ""]) {
        const what = `intent: ${JSON.stringify(intent)} at a code without one`;
        expectMismatch(await site.respond(code, wallet, { intent }), what);
      }
      expectStatus(await site.respond(code, wallet, { intent: null }), 200, "intent: null after that");
    },
  },
  "3.6-intent-dropped": {
    proves:
      "At a code with an intent a response that showed none, or another, is refused with 406; its own is right.",
    cause: "Whoever relays a code drops its intent, and the victim's wallet asks whether to sign in.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await approvalCode(site, await site.signedInBrowser(wallet));
      for (const intent of [null, "add"]) {
        const what = `intent: ${JSON.stringify(intent)} at a code to approve with`;
        expectMismatch(await site.respond(code, wallet, { intent }), what);
      }
      expectStatus(await site.respond(code, wallet, { intent: "approve" }), 200, "its own intent");
    },
  },
  "3.6-intent-untold": {
    proves:
      "A response that does not say what it showed is judged as ever, also at a code that has an intent.",
    cause: "The field is required, so that wallets which do not know it cannot approve any more.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await approvalCode(site, await site.signedInBrowser(wallet));
      expectStatus(await site.respond(code, wallet), 200, "no intent");
    },
  },
  "3.2-order-intent": {
    proves: "The intent is judged before the key's account: an unknown key is not sent to register.",
    cause:
      "The intent is compared by the statement that spends the challenge, behind the look-up of the user.",
    async run(site) {
      const answer = await site.respond(await site.issue(), new Wallet(), { intent: "approve" });
      expectMismatch(answer, "another intent and an unknown key");
    },
  },
};
