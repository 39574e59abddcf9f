import type { Browser } from "../browser.ts";
import { block, fail, type Rules, skip } from "../check.ts";
import { describeUnexpectedResponse, expectEqual, expectStatus } from "../expect-status.ts";
import { isErrorBody } from "../flow/errors.ts";
import type { ResponseChanges } from "../flow/flow.ts";
import * as proofs from "../flow/proofs.ts";
import { acceptsProofs, type ChangedResponse, describeChanges, expectUnsigned } from "../flow/responses.ts";
import { Wallet } from "../flow/wallet.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { SiteId } from "../texts/site.ts";
import type { Action, Code, Site } from "./site.ts";

/**
 * Sections 1.3 to 1.5, 3.2 and 3.6: keys and signatures, the fields of a response, and the order in which a site
 * validates them. A code's intent is not signed, so the wallet reports the intent that it showed to its user, and the
 * site compares this intent with the code's own.
 */

const REQUIRED = ["public_key", "signature", "challenge", "timestamp"] as const;
const WRONG_TYPES = [
  ...REQUIRED.flatMap((name) => [{ [name]: null }, { [name]: {} }]),
  { timestamp: true },
  { public_key: 4 },
  { challenge: ["svc:login"] },
  { device_info: "ios" },
  { device_info: [] },
  { device_info: null },
  { device_info: { platform: 1 } },
];

const END_OF_TIME = 253_402_300_799;

function refusesShapes(changes: readonly ResponseChanges[]) {
  return async (site: Site): Promise<void> => {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    for (const change of changes) {
      expectStatus(await site.respond(code, wallet, change), 400, describeChanges(change));
    }
  };
}

function acceptsShapes(changes: readonly ResponseChanges[]) {
  return async (site: Site): Promise<void> => {
    const wallet = await site.knownWallet();
    for (const change of changes) {
      const answer = await site.respond(await site.issue(), wallet, change);
      expectStatus(answer, 200, describeChanges(change));
    }
  };
}

/** For responses that the site must refuse for a different reason. */
function unknownChallenge(site: Site): string {
  return `svc:login:${site.target.origin.hostname}:${Math.floor(Date.now() / 1000)}:${"A".repeat(32)}`;
}

function expectMismatch(answer: Answer, what: string): void {
  expectStatus(answer, 406, what);
  const { json } = answer;
  if (isErrorBody(json)) expectEqual(json.error.code, "intent_mismatch", `${what}: the code`);
}

/**
 * With this code, a signed-in browser can have a change approved.
 * @throws {NotApplicableError} if the site does not support intents; {BlockedError} if the site does not issue such a
 * code
 */
export async function requestApprovalCode(
  site: Site,
  browser: Browser,
): Promise<Pick<Code, "sid" | "challenge">> {
  await site.requireIntents();
  const answer = await site.askForCode(browser, { mode: "login", intent: "approve" });
  const { sid, challenge } = bodyOf(answer);
  const said = "The site does not issue a code for an approval to a signed-in browser";
  if (answer.status >= 400 && answer.status < 500) skip(`${said}: ${describeUnexpectedResponse(answer)}`);
  if (answer.status !== 200 || typeof sid !== "string" || typeof challenge !== "string")
    block(said, describeUnexpectedResponse(answer));
  return { sid, challenge };
}

export const SHOWN_INTENT_CHECKS = {
  async "3.6-intent-added"(site) {
    await site.requireIntents();
    const wallet = await site.knownWallet();
    const code = await site.issue();
    for (const intent of ["add", "steal", ""]) {
      const what = `a response with \`intent\` ${JSON.stringify(intent)} to a code without an intent`;
      expectMismatch(await site.respond(code, wallet, { intent }), what);
    }
    expectStatus(await site.respond(code, wallet, { intent: null }), 200, "`intent` null after refused ones");
  },
  async "3.6-intent-dropped"(site) {
    const wallet = await site.knownWallet();
    const code = await requestApprovalCode(site, await site.openSignedInBrowser(wallet));
    for (const intent of [null, "add"]) {
      const what = `a response with \`intent\` ${JSON.stringify(intent)} to a code for an approval`;
      expectMismatch(await site.respond(code, wallet, { intent }), what);
    }
    expectStatus(await site.respond(code, wallet, { intent: "approve" }), 200, "the code's own intent");
  },
  async "3.6-intent-untold"(site) {
    const wallet = await site.knownWallet();
    const code = await requestApprovalCode(site, await site.openSignedInBrowser(wallet));
    expectStatus(await site.respond(code, wallet), 200, "a response without `intent`");
  },
  async "3.2-order-intent"(site) {
    await site.requireIntents();
    const answer = await site.respond(await site.issue(), new Wallet(), { intent: "approve" });
    expectMismatch(answer, "a response with another intent and an unknown key");
  },
} satisfies Rules<Site, SiteId>;

/**
 * The refusals must not use up the code.
 * @param action the code's action, with which checks alternate so that they use both webhooks' limits evenly
 */
function refuses(action: Action, triesOf: (wallet: Wallet, code: Code) => readonly ChangedResponse[]) {
  return async (site: Site): Promise<void> => {
    const wallet = action === "login" ? await site.knownWallet() : new Wallet();
    const code = await site.issue({ action });
    await expectUnsigned(site, code, triesOf(wallet, code), wallet);
  };
}

const refusesProofs = (action: Action, proofsOf: proofs.Proofs) =>
  refuses(action, (wallet, { challenge }) => proofsOf(wallet, challenge));

export const RESPONSE_CHECKS = {
  "1.3-compressed-accepted": acceptsProofs(proofs.compressedKeys),
  "1.3-letter-case": acceptsProofs(proofs.keysInCapitals),
  async "1.3-one-key-one-user"(site) {
    const { wallet, code } = await site.answerNewLogin();
    const user = await site.userOf(code.sid);
    const { compressedKey, publicKey } = wallet;
    for (const public_key of [compressedKey, compressedKey.toUpperCase(), publicKey.toUpperCase()]) {
      const next = await site.issue();
      const { status } = await site.respond(next, wallet, { public_key });
      const spelling = `${public_key.slice(0, 6)}…`;
      // A different check tests whether the site accepts this format at all.
      if (status === 406 || status === 400) block("A compressed key, or one in upper case, is refused");
      if (status !== 200) fail(`A key that was registered as 04… is answered ${status} as ${spelling}.`);
      if ((await site.userOf(next.sid)) !== user) fail(`As ${spelling} the key is another user than as 04…`);
    }
  },
  "1.3-other-forms": refusesProofs("register", proofs.otherKeyForms),
  "1.3-no-point": refusesProofs("register", proofs.invalidPoints),
  "1.4-high-s": acceptsProofs(proofs.highS),
  "1.4-low-s": acceptsProofs(proofs.lowS),
  "1.4-letter-case": acceptsProofs(proofs.signaturesInCapitals),
  "1.4-lengths": acceptsProofs(proofs.signatureLengths),
  "1.4-der-lengths": refusesProofs("register", proofs.derLengths),
  "1.4-der-integers": refusesProofs("login", proofs.derIntegers),
  "1.4-der-trailing": refusesProofs("login", proofs.derTrailing),
  "1.4-der-tags": refusesProofs("login", proofs.derTags),
  "1.4-range": refusesProofs("register", proofs.outOfRangeScalars),
  "1.4-text": refusesProofs("login", proofs.otherSignatureFormats),
  "1.4-hashed-once": refusesProofs("register", proofs.otherHashes),
  "1.4-this-challenge": refuses("login", (wallet, { challenge, body }) => [
    ...proofs.otherTexts(wallet, challenge),
    ["a signature over the code's payload", { signature: wallet.sign(String(body.qr)) }],
  ]),
  "1.4-this-key": refusesProofs("login", proofs.otherKeys),
  "1.5-required": refusesShapes(REQUIRED.map((name) => ({ [name]: undefined }))),
  async "1.5-types"(site) {
    await refusesShapes(WRONG_TYPES)(site);
    // On a site without intents, `intent` is an unknown field.
    if (await site.supportsIntents()) await refusesShapes([{ intent: 1 }, { intent: ["add"] }])(site);
  },
  "1.5-timestamp-range": refusesShapes(
    [-1, 1.5, END_OF_TIME + 1, 1e300, "1700000000"].map((timestamp) => ({ timestamp })),
  ),
  "1.5-device-info-length": refusesShapes([
    { device_info: { platform: "a".repeat(101) } },
    { device_info: { version: "a".repeat(101) } },
    { device_info: { device_id: "a".repeat(201) } },
    // JSON strings are measured in UTF-16 code units.
    { device_info: { platform: "\u{1f600}".repeat(51) } },
  ]),
  "1.5-device-info-optional": acceptsShapes([
    { device_info: undefined },
    { device_info: {} },
    { device_info: { platform: "a".repeat(100), version: "\u{1f600}".repeat(50) } },
  ]),
  "1.5-timestamp-decides-nothing": acceptsShapes([{ timestamp: 0 }, { timestamp: END_OF_TIME }]),
  "2.2-unknown-fields": acceptsShapes([
    { nickname: "x", session: "other", status: "authenticated", user_id: 1 },
  ]),
  async "3.2-register"(site) {
    const answer = await site.respond(await site.issueForNew(), new Wallet());
    expectStatus(answer, 200, "a correct register response");
    expectEqual(bodyOf(answer).status, "authenticated", "The response's status");
  },
  async "3.2-login"(site) {
    const wallet = await site.knownWallet();
    const answer = await site.respond(await site.issue(), wallet);
    expectStatus(answer, 200, "a correct login response");
    expectEqual(bodyOf(answer).status, "authenticated", "The response's status");
  },
  async "3.2-same-user"(site) {
    const { wallet, code } = await site.answerNewLogin();
    const user = await site.userOf(code.sid);
    const again = await site.logIn(wallet);
    if ((await site.userOf(again.code.sid)) !== user) fail("A key's second login is another user's.");
    const other = await site.answerNewLogin();
    if ((await site.userOf(other.code.sid)) === user) fail("Two keys belong to one user.");
  },
  async "3.2-register-known-key"(site) {
    const { wallet, code } = await site.answerNewLogin();
    const user = await site.userOf(code.sid);
    const again = await site.issueForNew();
    expectStatus(await site.respond(again, wallet), 200, "a register response with a known key");
    if ((await site.userOf(again.sid)) !== user) fail("A second registration created another user.");
  },
  async "3.2-unknown-key"(site) {
    const wallet = new Wallet();
    const code = await site.issue();
    expectStatus(await site.respond(code, wallet), 404, "a login with an unknown key");
    if (await site.isAnswered(code.sid)) fail("The refused response authenticated the login.");
    const again = await site.issue();
    expectStatus(await site.respond(again, wallet), 404, "a second login with the same unknown key");
  },
  async "3.2-order-content-type"(site) {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    const body = JSON.stringify(wallet.response(code.challenge));
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      expectStatus(
        await site.post(site.webhook("login"), body, { "Content-Type": type }),
        415,
        `the type ${type}`,
      );
  },
  async "3.2-order-shape"(site) {
    const code = { challenge: unknownChallenge(site) };
    const answer = await site.respond(code, new Wallet(), { timestamp: "now" });
    expectStatus(answer, 400, "a malformed timestamp for an unknown challenge");
  },
  async "3.2-order-challenge"(site) {
    const knownWallet = await site.knownWallet();
    // A response to another challenge must not answer this login.
    await site.issue();
    const code = { challenge: unknownChallenge(site) };
    for (const [what, wallet, changes] of [
      ["with a wrong signature", knownWallet, site.foreignSignature(code)],
      ["with an unknown key", new Wallet(), {}],
      ["with a malformed key", knownWallet, { public_key: "zz" }],
    ] as const)
      expectStatus(await site.respond(code, wallet, changes), 408, `an unknown challenge ${what}`);
  },
  async "3.2-order-used"(site) {
    const wallet = await site.knownWallet();
    const { code } = await site.logIn(wallet);
    const wrong = site.foreignSignature(code);
    expectStatus(await site.respond(code, wallet, wrong), 408, "a spent challenge, wrongly signed");
    expectStatus(await site.respond(code, new Wallet()), 408, "a spent challenge with an unknown key");
  },
  async "3.2-order-signature"(site) {
    const code = await site.issue();
    const wrong = site.foreignSignature(code);
    expectStatus(await site.respond(code, new Wallet(), wrong), 406, "a wrong signature by an unknown key");
    if (await site.isAnswered(code.sid)) block("A wrong signature is accepted", undefined, "1.4-this-key");
    await site.expectPending(code.sid, "a wrong signature");
  },
} satisfies Rules<Site, SiteId>;
