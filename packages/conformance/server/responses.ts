import { Blocked, fail, type Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type Answer, bodyOf } from "../http-client.ts";
import type { Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Sections 1.5 and 3.2: what a wallet may send, and in which order it is judged. */

const REQUIRED = ["public_key", "signature", "challenge", "timestamp"] as const;
const END_OF_TIME = 253_402_300_799;

type Change = Record<string, unknown>;

/** Expects each of these changes of a correct response to be refused with 400. */
function refusesShapes(changes: readonly Change[]) {
  return async (site: Site): Promise<void> => {
    const wallet = await site.knownWallet();
    const code = await site.issue();
    for (const change of changes) {
      const what = JSON.stringify(change, (_, value) => value ?? "(absent)").slice(0, 100);
      expectStatus(await site.respond(code, wallet, change), 400, what);
    }
  };
}

/** Expects each of these changes of a correct response to make no difference. */
function acceptsShapes(changes: readonly Change[]) {
  return async (site: Site): Promise<void> => {
    const wallet = await site.knownWallet();
    for (const change of changes) {
      const answer = await site.respond(await site.issue(), wallet, change);
      expectStatus(answer, 200, JSON.stringify(change));
    }
  };
}

/** A challenge that no site has issued, for responses that are judged by something else. */
function unknownChallenge(site: Site): string {
  return `svc:login:${site.target.origin.hostname}:${Math.floor(Date.now() / 1000)}:${"A".repeat(32)}`;
}

function expectAuthenticated(answer: Answer): void {
  if (bodyOf(answer).status !== "authenticated")
    fail(`The answer is ${JSON.stringify(answer.json)} instead of {"status":"authenticated"}.`);
}

export const RESPONSE_CHECKS: Rules<Site> = {
  "1.5-required": {
    proves: "A response without one of its four required fields is refused with 400.",
    cause: "Fields are used without being validated, so a missing one becomes a 500 or counts as empty.",
    run: refusesShapes(REQUIRED.map((name) => ({ [name]: undefined }))),
  },
  "1.5-types": {
    proves: "A field of another type is refused with 400.",
    cause: "Values are converted: `String(…)`, `Number(…)` or a comparison with `==`.",
    run: refusesShapes([
      ...REQUIRED.flatMap((name) => [{ [name]: null }, { [name]: {} }]),
      { timestamp: true },
      { public_key: 4 },
      { challenge: ["svc:login"] },
      { device_info: "ios" },
      { device_info: [] },
      { device_info: null },
      { device_info: { platform: 1 } },
      { intent: 1 },
      { intent: ["add"] },
    ]),
  },
  "1.5-timestamp-range": {
    proves:
      "`timestamp` is an integer from 0 to the end of the year 9999; anything else is refused with 400.",
    cause: "The timestamp goes into a column or a `Date` that cannot hold it.",
    run: refusesShapes([-1, 1.5, END_OF_TIME + 1, 1e300, "1700000000"].map((timestamp) => ({ timestamp }))),
  },
  "1.5-device-info-length": {
    proves: "Device texts that are too long are refused with 400.",
    cause: "They are stored as they come, or cut off by the database with an error.",
    run: refusesShapes([
      { device_info: { platform: "a".repeat(101) } },
      { device_info: { version: "a".repeat(101) } },
      { device_info: { device_id: "a".repeat(201) } },
    ]),
  },
  "1.5-device-info-optional": {
    proves: "`device_info` and each of its fields may be absent.",
    cause: "The validation requires what is optional.",
    run: acceptsShapes([
      { device_info: undefined },
      { device_info: {} },
      { device_info: { platform: "a".repeat(100) } },
    ]),
  },
  "1.5-timestamp-decides-nothing": {
    proves: "The wallet's clock decides nothing: any valid `timestamp` is accepted.",
    cause: "The timestamp is compared with the server's clock.",
    run: acceptsShapes([{ timestamp: 0 }, { timestamp: END_OF_TIME }]),
  },
  "2.2-unknown-fields": {
    proves: "Unknown fields of a body are ignored.",
    cause: "The validation is strict, so newer wallets are turned away.",
    run: acceptsShapes([{ nickname: "x", session: "other", status: "authenticated", user_id: 1 }]),
  },
  "3.2-register": {
    proves: 'A correct register response gets 200 and `{"status":"authenticated"}`.',
    cause: "Verification, the webhook's path or the account's creation does not work: begin here.",
    async run(site) {
      const answer = await site.respond(await site.issueForNew(), new Wallet());
      expectStatus(answer, 200, "a correct register response");
      expectAuthenticated(answer);
    },
  },
  "3.2-login": {
    proves: 'A correct login response by a known key gets 200 and `{"status":"authenticated"}`.',
    cause: "The key is stored in another form than the one that it is looked up by.",
    async run(site) {
      const wallet = await site.knownWallet();
      const answer = await site.respond(await site.issue(), wallet);
      expectStatus(answer, 200, "a correct login response");
      expectAuthenticated(answer);
    },
  },
  "3.2-same-user": {
    proves: "A key signs in the same user at every login, and two keys are two users.",
    cause: "Each response creates an account, or the key is looked up by a part of it.",
    async run(site) {
      const { wallet, code } = await site.answered();
      const user = await site.userOf(code.sid);
      const again = await site.loggedIn(wallet);
      if ((await site.userOf(again.code.sid)) !== user) fail("The second login is another user's.");
      const other = await site.answered();
      if ((await site.userOf(other.code.sid)) === user) fail("Two keys are one user.");
    },
  },
  "3.2-register-known-key": {
    proves: "Registering with a key that has an account signs that user in.",
    cause: "The second registration is a conflict, or makes a second account.",
    async run(site) {
      const { wallet, code } = await site.answered();
      const user = await site.userOf(code.sid);
      const again = await site.issueForNew();
      expectStatus(await site.respond(again, wallet), 200, "a register response by a known key");
      if ((await site.userOf(again.sid)) !== user) fail("The second registration made another user.");
    },
  },
  "3.2-unknown-key": {
    proves: "A login by a key without an account gets 404, and makes none.",
    cause: "Login creates accounts as registration does.",
    async run(site) {
      const wallet = new Wallet();
      const code = await site.issue();
      expectStatus(await site.respond(code, wallet), 404, "a login by an unknown key");
      if (await site.isAnswered(code.sid)) fail("The login is authenticated all the same.");
      const again = await site.issue();
      expectStatus(await site.respond(again, wallet), 404, "a second login by the same unknown key");
    },
  },
  "3.2-order-content-type": {
    proves: "A body that is not sent as JSON gets 415, before it is looked at.",
    cause: "The body is parsed whatever its content type says, which lets forms of other sites post.",
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      const body = JSON.stringify(wallet.response(code.challenge));
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
      ])
        expectStatus(await site.post(site.webhook("login"), body, { "Content-Type": type }), 415, type);
    },
  },
  "3.2-order-shape": {
    proves: "The body's shape is judged first: 400, though the challenge is unknown too.",
    cause: "The challenge is looked up before the body is validated.",
    async run(site) {
      const code = { challenge: unknownChallenge(site) };
      const answer = await site.respond(code, new Wallet(), { timestamp: "now" });
      expectStatus(answer, 400, "a malformed body with an unknown challenge");
    },
  },
  "3.2-order-challenge": {
    proves: "The challenge is judged before key and signature: an unknown one gets 408, whoever signed what.",
    cause: "The signature is judged first, or the user is looked up first.",
    async run(site) {
      const known = await site.knownWallet();
      // A login is waiting that an answer to another challenge must not reach.
      await site.issue();
      const code = { challenge: unknownChallenge(site) };
      for (const [what, wallet, changes] of [
        ["wrong signature", known, site.foreignSignature(code)],
        ["unknown key", new Wallet(), {}],
        ["no key", known, { public_key: "zz" }],
      ] as const)
        expectStatus(await site.respond(code, wallet, changes), 408, `unknown challenge, ${what}`);
    },
  },
  "3.2-order-used": {
    proves: "A used challenge gets 408 though the signature is wrong, and though the key is unknown.",
    cause: "Whether a challenge was used is judged last, by the statement that spends it.",
    async run(site) {
      const wallet = await site.knownWallet();
      const { code } = await site.loggedIn(wallet);
      const wrong = site.foreignSignature(code);
      expectStatus(await site.respond(code, wallet, wrong), 408, "used challenge, wrong signature");
      expectStatus(await site.respond(code, new Wallet()), 408, "used challenge, unknown key");
    },
  },
  "3.2-order-signature": {
    proves:
      "The signature is judged before the key's account: a wrong one gets 406, though the key is unknown.",
    cause: "The user is looked up first, so that strangers learn which keys have accounts.",
    async run(site) {
      const code = await site.issue();
      const wrong = site.foreignSignature(code);
      expectStatus(await site.respond(code, new Wallet(), wrong), 406, "wrong signature, unknown key");
      if (await site.isAnswered(code.sid)) throw new Blocked("A wrong signature is accepted here.");
      await site.expectPending(code.sid, "a wrong signature");
    },
  },
};
