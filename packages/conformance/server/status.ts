import { FOREIGN_URLS, isOwnPath, RETURN_PARAMETERS } from "../addresses.ts";
import { block, fail, type Rules, skip } from "../check.ts";
import {
  changeLastCharacter,
  describeUnexpectedResponse,
  expectAccepted,
  expectEqual,
  expectInteger,
  expectNoCookie,
  expectNoOtherMembers,
  expectStatus,
} from "../expect-status.ts";
import { Wallet } from "../flow/wallet.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import type { Code, Site } from "./site.ts";

/** Sections 3.3 and 3.4: a login's status, and which browsers can read it. */

function expectFields(answer: Answer, expected: Record<string, unknown>, what: string): void {
  expectStatus(answer, 200, what);
  if (JSON.stringify(answer.json) !== JSON.stringify(expected))
    fail(`${what}: the response is ${answer.text.slice(0, 200)} instead of ${JSON.stringify(expected)}.`);
}

/**
 * The code is answered with an unknown key.
 * @throws {BlockedError} unless the site responds with 404
 */
async function refusedAsUnknown(site: Site): Promise<Code> {
  const code = await site.issue();
  const answer = await site.respond(code, new Wallet());
  if (answer.status !== 404)
    block(
      "A login with an unknown key is not answered 404",
      describeUnexpectedResponse(answer),
      "3.2-unknown-key",
    );
  return code;
}

export const STATUS_CHECKS = {
  async "3.3-pending"(site) {
    const { browser, sid } = await site.issue();
    expectFields(await site.check(sid, browser), { status: "pending" }, "the status of an unanswered login");
  },
  async "3.3-pending-after-refusals"(site) {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    const refused = await site.respond(code, wallet, site.foreignSignature(code));
    if (refused.status === 200) block("A wrong signature is accepted", undefined, "1.4-this-key");
    expectFields(await site.check(code.sid), { status: "pending" }, "the status after a wrong signature");
  },
  async "3.3-strangers"(site) {
    const { code } = await site.answerNewLogin();
    const answer = await site.check(code.sid, site.browser());
    expectStatus(answer, 200, "another browser's request for the status");
    expectNoOtherMembers(
      answer.json,
      ["status", "user_id", "redirect"],
      "The response to a different browser",
    );
    expectNoCookie(answer, "The response to a different browser");
  },
  async "3.3-unregistered"(site) {
    const code = await refusedAsUnknown(site);
    expectFields(await site.check(code.sid), { status: "unregistered" }, "the status after an unknown key");
  },
  async "3.3-unregistered-until-refreshed"(site) {
    const code = await refusedAsUnknown(site);
    await site.expectPending((await site.renew(code)).sid, "a new code");
  },
  async "3.3-authenticated"(site) {
    const { code } = await site.answerNewLogin();
    const { status } = await site.statusOf(code.sid);
    expectEqual(status, "authenticated", "After a 200 to the wallet the status");
  },
  async "3.3-user-id"(site) {
    const { code } = await site.answerNewLogin();
    const { status, userId } = await site.statusOf(code.sid);
    if (status !== "authenticated")
      block(
        "The status of an answered login is not authenticated",
        `it is ${JSON.stringify(status)}`,
        "3.3-authenticated",
      );
    expectInteger(userId, "`user_id`");
  },
  async "3.3-redirect"(site) {
    for (const otherTarget of [null, ...FOREIGN_URLS]) {
      const browser = site.browser();
      const parameters = otherTarget === null ? [] : RETURN_PARAMETERS;
      const more = Object.fromEntries(parameters.map((name) => [name, otherTarget ?? ""]));
      const codeAnswer = await site.askForCode(browser, { mode: "login", ...more });
      const { sid, challenge } = bodyOf(codeAnswer);
      // A site can refuse such a request.
      if (otherTarget !== null && codeAnswer.status === 400) continue;
      if (typeof sid !== "string" || typeof challenge !== "string")
        block("The site does not issue a code", describeUnexpectedResponse(codeAnswer));
      expectAccepted(await site.respond({ challenge }, await site.knownWallet()));
      const query = new URLSearchParams({ sid, ...more });
      const { redirect } = bodyOf(await browser.send({ path: `${site.target.check}?${query}` }));
      if (!isOwnPath(redirect, site.target.origin))
        fail(
          `\`redirect\` is ${JSON.stringify(redirect)} instead of a path of this site, such as "/dashboard".`,
        );
    }
  },
  async "3.3-no-sid"(site) {
    expectStatus(await site.http.send({ path: site.target.check }), 400, "a request without `sid`");
  },
  async "3.3-unknown-sid"(site) {
    const { sid } = await site.issue();
    expectStatus(await site.check("A".repeat(sid.length)), 404, "an unknown sid");
    expectStatus(await site.check(changeLastCharacter(sid)), 404, "a sid with another last character");
    for (const strange of ["' OR 1=1 --", "%", "../../etc/passwd", "{}", "sid\u0000", "ü".repeat(40)])
      expectStatus(await site.check(strange), [404, 400], `the sid ${JSON.stringify(strange)}`);
  },
  async "3.4-own-browser"(site) {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    const stream = await site.events(code.browser, code.sid);
    try {
      if (stream.status === 404) skip("The site has no event stream, which is optional.");
      expectEqual(stream.status, 200, "The status of the event stream");
      if (!(await stream.receives('"pending"'))) fail("The event stream does not begin with the status.");
      await site.respond(code, wallet);
      if (!(await stream.receives('"authenticated"'))) fail("The stream does not report the response.");
    } finally {
      stream.close();
    }
  },
  async "3.4-strangers"(site) {
    const { sid } = await site.issue();
    for (const stranger of [site.browser(), await site.createThief()]) {
      const stream = await site.events(stranger, sid);
      stream.close();
      expectEqual(stream.status, 404, "The status of a stranger's event stream");
    }
  },
} satisfies Rules<Site, SiteId>;
