import { gzipSync } from "node:zlib";
import { block, fail, type Rule, startsEarly } from "../check.ts";
import {
  describeUnexpectedResponse,
  expectAccepted,
  expectEqual,
  expectStatus,
  type Statuses,
} from "../expect-status.ts";
import type { Code, Flow, LoginCode, LoginSite, ResponseChanges } from "./flow.ts";
import type { Proofs } from "./proofs.ts";
import { Wallet } from "./wallet.ts";

/**
 * Sections 1.1, 1.3 to 1.5, 2.2, 5.2 and 6.2: a site refuses invalid responses and bodies, and accepts a challenge only
 * with its complete text and only once.
 */

/** `changes` are the differences from a correct response. `to` is the answered code if it is a different one. */
export type ChangedResponse = readonly [what: string, changes: ResponseChanges, to?: Code];

export function describeChanges(changes: ResponseChanges, what = "a response"): string {
  const fields = Object.entries(changes).map(([name, value]) =>
    value === undefined
      ? `without \`${name}\``
      : `with \`${name}\`: ${[...JSON.stringify(value)].slice(0, 60).join("")}`,
  );
  return `${what} ${fields.join(", ")}`;
}

/**
 * To one code, one after the other.
 * @throws {CheckFailure} unless the site refuses all responses and the login remains unanswered; {BlockedError} if one
 * of them uses up the code
 */
export async function expectUnsigned(
  site: LoginSite,
  code: LoginCode,
  tries: readonly ChangedResponse[],
  wallet = site.newWallet(),
): Promise<void> {
  for (const [index, [what, changes, to = code]] of tries.entries()) {
    const answer = await site.respond(to, wallet, changes);
    if (answer.status === site.refusals.gone && index > 0)
      block(
        "The challenge is spent by a refused response",
        `the next response had ${what}. ${describeUnexpectedResponse(answer)}`,
        site.refusals.unspent,
      );
    expectStatus(answer, site.refusals.unsigned, what);
  }
  if (await site.isAnswered(code.sid)) fail("The login is answered though every response was refused.");
}

/** Each response comes from a new wallet and answers a new code. */
export function acceptsProofs(...proofs: readonly Proofs[]) {
  return async (site: Flow): Promise<void> => {
    for (const proofsOf of proofs) {
      for (const index of proofsOf(new Wallet(), "").keys()) {
        const wallet = new Wallet();
        const code = await site.issueForNew();
        const [what = "", changes] = proofsOf(wallet, code.challenge)[index] ?? [];
        expectStatus(await site.respond(code, wallet, changes), 200, what);
      }
    }
  };
}

export type Bodies = readonly (readonly [
  what: string,
  body: string | Uint8Array,
  headers?: Record<string, string>,
])[];

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** From a correct body. Every JSON endpoint refuses the results. */
export const invalidBodies = {
  noJson: (correctBody) => [
    ["an empty body", ""],
    ["JSON that is cut off", correctBody.slice(0, -5)],
    ["JSON with a trailing comma", correctBody.replace(/}$/, ",}")],
    ["the response in an array", `[${correctBody}]`],
    ["null as the body", "null"],
    ["the response as a JSON string", JSON.stringify(correctBody)],
    ["a number as the body", "1"],
    ["two JSON documents", correctBody + correctBody],
    ["a body with NaN, which JSON does not have", correctBody.replace(/}$/, ',"more":NaN}')],
    ["a body with Infinity, which JSON does not have", correctBody.replace(/}$/, ',"more":Infinity}')],
  ],
  nesting: (correctBody) =>
    [20, 5_000].map((depth) => [
      `a body with ${depth} levels`,
      correctBody.replace(/}$/, `,"more":${nested(depth)}}`),
    ]),
  prototype: (correctBody) => [
    ["a body with its fields in __proto__", `{"__proto__":${correctBody}}`],
    ["a body with its fields in constructor.prototype", `{"constructor":{"prototype":${correctBody}}}`],
    ["an empty object after these bodies", "{}"],
  ],
  size: (correctBody) => [
    ["a body of 70 KB", correctBody.replace(/}$/, `,"more":"${"a".repeat(70 * 1024)}"}`)],
  ],
  encoding: (correctBody) => [["a gzipped body", gzipSync(correctBody), { "Content-Encoding": "gzip" }]],
} satisfies Record<string, (correctBody: string) => Bodies>;

export function refusesBodies(bodies: Bodies | ((code: LoginCode) => Bodies), statuses: Statuses = "a 4xx") {
  return async (site: LoginSite): Promise<void> => {
    const code = await site.issueForNew();
    for (const [what, body, headers] of typeof bodies === "function" ? bodies(code) : bodies) {
      const answer = await site.post(site.webhookOf(code), body, headers);
      expectStatus(answer, statuses, what);
    }
    if (await site.isAnswered(code.sid)) fail("The login is answered though every body was refused.");
  };
}

export const closesStalledBodies = (text: string, type: string): Rule<LoginSite> =>
  startsEarly(async (site) => {
    const path = site.webhookOf(await site.issueForNew());
    const answer = await site.post(path, text, { "Content-Type": type }, { hostile: true, stalls: true });
    expectStatus(answer, "a 4xx", "a body that never arrives completely");
  });

/**
 * Several small bursts from different wallets reveal a missing lock more reliably than one large burst from one wallet.
 */
export async function oneOfManySucceeds(site: Flow, large: number, small: readonly number[]): Promise<void> {
  const total = small.reduce((sum, size) => sum + size, large);
  site.http.requireCapacity({ method: "POST", path: site.webhookOf() }, total);
  const bursts = small.map((size) => Array.from({ length: size }, () => site.newWallet()));
  for (const wallets of [Array<object>(large).fill(site.newWallet()), ...bursts]) {
    const code = await site.issueForNew();
    await burst(
      site,
      wallets.map((wallet) => ({ code, wallet })),
    );
  }
}

/**
 * At the same moment, each code with a different wallet.
 * @returns the login, and the wallet whose answer the site accepted
 */
export async function oneOfTwoCodesSucceeds<W extends object>(site: LoginSite, wallets: readonly [W, W]) {
  const code = await site.issueForNew();
  const responses = [
    { code, wallet: wallets[0] },
    { code: await site.renew(code), wallet: wallets[1] },
  ];
  return { sid: code.sid, winner: await burst(site, responses) };
}

/** @returns the wallet whose response was accepted */
async function burst<W extends object>(
  site: Flow,
  responses: readonly { code: Code; wallet: W }[],
): Promise<W> {
  const answers = await Promise.all(
    responses.map(async ({ code, wallet }) => ({ wallet, answer: await site.respond(code, wallet) })),
  );
  const [accepted, ...more] = answers.filter(({ answer }) => answer.status === 200);
  if (!accepted || more.length > 0)
    fail(`${accepted ? more.length + 1 : 0} of ${answers.length} simultaneous responses were answered 200.`);
  const other = answers.find(({ answer: { status } }) => status !== 200 && status !== site.refusals.gone);
  if (other)
    fail(
      `One of ${answers.length} simultaneous responses was answered 200, but others are not refused correctly: ${describeUnexpectedResponse(other.answer, `instead of ${site.refusals.gone}`)}`,
    );
  return accepted.wallet;
}

export async function challengeIsSingleUse(site: Flow): Promise<void> {
  const code = await site.issueForNew();
  const wallet = site.newWallet();
  expectAccepted(await site.respond(code, wallet));
  const holder = await site.holderOf(code.sid);
  expectStatus(await site.respond(code, wallet), site.refusals.gone, "the same response again");
  expectStatus(await site.respond(code, site.newWallet()), site.refusals.gone, "another wallet's response");
  await expectUnchangedHolder(site, code, holder, "After a second response to the same challenge");
}

export async function answeredLoginIsFinal(site: Flow): Promise<void> {
  const first = await site.issueForNew();
  const second = await site.renew(first);
  expectStatus(await site.respond(second, site.newWallet()), 200, "a correct response");
  const holder = await site.holderOf(first.sid);
  if (holder === null) block("The status does not say that the login is answered");
  expectStatus(await site.respond(first, site.newWallet()), site.refusals.gone, "another wallet's response");
  await expectUnchangedHolder(site, first, holder, "After a response to an older code of an answered login");
}

async function expectUnchangedHolder(
  site: Flow,
  { sid }: Code,
  holder: unknown,
  when: string,
): Promise<void> {
  expectEqual(await site.holderOf(sid), holder, `${when}, which was refused, the login's owner`);
}

export const refusedChallengeStaysValid: Rule<LoginSite> = async (site) => {
  const wallet = await site.knownWallet();
  const code = await site.issue();
  const refused = await site.respond(code, wallet, site.foreignSignature(code));
  if (refused.status === 200) block("A wrong signature is accepted");
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

/** @param othersOf returns variations of a code */
export function refusesSimilarChallenges<Site extends LoginSite>(
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
