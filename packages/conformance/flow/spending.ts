import { block, fail, type Rule } from "../check.ts";
import { expectAccepted, expectEqual, expectStatus, refusalOf } from "../expect-status.ts";
import type { Code, Flow, LoginSite } from "./flow.ts";

/** Sections 1.1, 5.2 and 6.2: a challenge is found by its whole text, and is good for one success. */

/**
 * Expects exactly one of several simultaneous responses to succeed. Small bursts of different wallets find a missing
 * lock more surely than one large burst of one wallet.
 */
export async function oneOfManySucceeds(site: Flow, large: number, small: readonly number[]): Promise<void> {
  const total = small.reduce((sum, size) => sum + size, large);
  site.http.leaveRoom({ method: "POST", path: site.webhookOf() }, total);
  const bursts = small.map((size) => Array.from({ length: size }, () => site.newWallet()));
  for (const wallets of [Array<object>(large).fill(site.newWallet()), ...bursts]) {
    const code = await site.issueForNew();
    await burst(
      site,
      wallets.map((wallet) => ({ code, wallet })),
    );
  }
}

/** Answers two codes of one login at the same moment, each by another wallet. @returns the login, and its one winner */
export async function oneOfTwoCodesSucceeds<W extends object>(site: LoginSite, wallets: readonly [W, W]) {
  const code = await site.issueForNew();
  const responses = [
    { code, wallet: wallets[0] },
    { code: await site.renew(code), wallet: wallets[1] },
  ];
  return { sid: code.sid, winner: await burst(site, responses) };
}

/** @returns the wallet whose response is the one that succeeds */
async function burst<W extends object>(
  site: Flow,
  responses: readonly { code: Code; wallet: W }[],
): Promise<W> {
  const tried = await Promise.all(
    responses.map(async ({ code, wallet }) => ({ wallet, answer: await site.respond(code, wallet) })),
  );
  const [accepted, ...more] = tried.filter(({ answer }) => answer.status === 200);
  if (!accepted || more.length > 0)
    fail(`${accepted ? more.length + 1 : 0} of ${tried.length} simultaneous responses were answered 200.`);
  const other = tried.find(({ answer: { status } }) => status !== 200 && status !== site.refusals.gone);
  if (other)
    fail(
      `One of ${tried.length} simultaneous responses was answered 200, but others are not refused correctly: ${refusalOf(other.answer, `instead of ${site.refusals.gone}`)}`,
    );
  return accepted.wallet;
}

export async function singleUse(site: Flow): Promise<void> {
  const code = await site.issueForNew();
  const wallet = site.newWallet();
  expectAccepted(await site.respond(code, wallet));
  const holder = await site.holderOf(code.sid);
  expectStatus(await site.respond(code, wallet), site.refusals.gone, "the same response again");
  expectStatus(await site.respond(code, site.newWallet()), site.refusals.gone, "another wallet's response");
  await expectStillOf(site, code, holder, "After a second response to the same challenge");
}

export async function answeredIsFinal(site: Flow): Promise<void> {
  const first = await site.issueForNew();
  const second = await site.renew(first);
  expectStatus(await site.respond(second, site.newWallet()), 200, "a correct response");
  const holder = await site.holderOf(first.sid);
  if (holder === null) block("The status does not say that the login is answered.");
  expectStatus(
    await site.respond(first, site.newWallet()),
    site.refusals.gone,
    "another wallet's answer to an older code",
  );
  await expectStillOf(site, first, holder, "After a response to an older code of an answered login");
}

async function expectStillOf(site: Flow, { sid }: Code, holder: unknown, when: string): Promise<void> {
  expectEqual(await site.holderOf(sid), holder, `${when}, which was refused, the login's owner`);
}

export const refusedIsNotSpent: Rule<LoginSite> = async (site) => {
  const wallet = await site.knownWallet();
  const code = await site.issue();
  const refused = await site.respond(code, wallet, site.foreignSignature(code));
  if (refused.status === 200) block("A wrong signature is accepted here.");
  expectStatus(await site.respond(code, wallet), 200, "a correct response after a wrong one");
};

export async function answersOneLogin(site: LoginSite): Promise<void> {
  const wallet = await site.knownWallet();
  const browser = site.browser();
  const waiting = [await site.issue(), await site.issue({ browser })];
  const code = await site.issue({ browser });
  waiting.push(await site.issue());
  expectAccepted(await site.respond(code, wallet));
  for (const { sid } of waiting) {
    if (await site.isAnswered(sid)) fail("An unanswered login counts as answered.");
  }
  if (!(await site.isAnswered(code.sid))) fail("The login that was answered does not count as answered.");
}

type Others = readonly (readonly [what: string, other: Code])[];

/** Expects that only the exact challenge is found. @param othersOf variations of a code */
export function findsNothingLike<Site extends LoginSite>(
  othersOf: (code: Site["run"]["codes"][number], site: Site) => Others | Promise<Others>,
) {
  return async (site: Site): Promise<void> => {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    for (const [what, other] of await othersOf(code, site))
      expectStatus(await site.respond(other, wallet), site.refusals.gone, what);
    if (await site.isAnswered(code.sid)) fail("A refused response answers the login.");
  };
}

export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
