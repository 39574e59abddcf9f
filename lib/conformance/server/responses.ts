import { Blocked, fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Action, Site } from "./site.ts";
import { Wallet } from "./wallet.ts";

/** Sections 1.5 and 3.2: what a wallet may send, and in which order it is judged. */

const REQUIRED = ["public_key", "signature", "challenge", "timestamp"] as const;
const END_OF_TIME = 253_402_300_799;

/** A check that changes of a correct response are refused with 400, and leave the login pending. */
function refusesShapes(
  id: string,
  proves: string,
  cause: string,
  changes: readonly Record<string, unknown>[],
): Rule<Site> {
  return {
    ...{ id, proves, cause },
    async run(site) {
      const wallet = await site.knownWallet();
      const code = await site.issue();
      for (const change of changes) {
        const what = JSON.stringify(change, (_, value) => value ?? "(absent)").slice(0, 100);
        expectStatus(
          await site.post(site.webhook("login"), { ...wallet.response(code.challenge), ...change }),
          400,
          what,
        );
      }
    },
  };
}

/** A check that changes of a correct response make no difference. */
function acceptsShapes(
  id: string,
  proves: string,
  cause: string,
  changes: readonly Record<string, unknown>[],
): Rule<Site> {
  return {
    ...{ id, proves, cause },
    async run(site) {
      const wallet = await site.knownWallet();
      for (const change of changes) {
        const code = await site.issue();
        const answer = await site.post(site.webhook("login"), {
          ...wallet.response(code.challenge),
          ...change,
        });
        expectStatus(answer, 200, JSON.stringify(change));
      }
    },
  };
}

/** A challenge that no site has issued, for responses that are judged by something else. */
function unknownChallenge(site: Site, action: Action = "login"): string {
  return `svc:${action}:${site.target.origin.hostname}:${Math.floor(Date.now() / 1000)}:${"A".repeat(32)}`;
}

export const RESPONSE_CHECKS: readonly Rule<Site>[] = [
  refusesShapes(
    "1.5-required",
    "A response without one of its four required fields is refused with 400.",
    "Fields are used without being validated, so a missing one becomes a 500 or counts as empty.",
    REQUIRED.map((name) => ({ [name]: undefined })),
  ),
  refusesShapes(
    "1.5-types",
    "A field of another type is refused with 400.",
    "Values are converted: `String(…)`, `Number(…)` or a comparison with `==`.",
    [
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
    ],
  ),
  refusesShapes(
    "1.5-timestamp-range",
    "`timestamp` is an integer from 0 to the end of the year 9999; anything else is refused with 400.",
    "The timestamp goes into a column or a `Date` that cannot hold it.",
    [-1, 1.5, END_OF_TIME + 1, 1e300, "1700000000"].map((timestamp) => ({ timestamp })),
  ),
  refusesShapes(
    "1.5-device-info-length",
    "Device texts that are too long are refused with 400.",
    "They are stored as they come, or cut off by the database with an error.",
    [
      { device_info: { platform: "a".repeat(101) } },
      { device_info: { version: "a".repeat(101) } },
      { device_info: { device_id: "a".repeat(201) } },
    ],
  ),
  acceptsShapes(
    "1.5-device-info-optional",
    "`device_info` and each of its fields may be absent.",
    "The validation requires what is optional.",
    [{ device_info: undefined }, { device_info: {} }, { device_info: { platform: "a".repeat(100) } }],
  ),
  acceptsShapes(
    "1.5-timestamp-decides-nothing",
    "The wallet's clock decides nothing: any valid `timestamp` is accepted.",
    "The timestamp is compared with the server's clock.",
    [{ timestamp: 0 }, { timestamp: END_OF_TIME }],
  ),
  acceptsShapes(
    "2.2-unknown-fields",
    "Unknown fields of a body are ignored.",
    "The validation is strict, so newer wallets are turned away.",
    [{ nickname: "x", session: "other", status: "authenticated", user_id: 1 }],
  ),
  {
    id: "3.2-register",
    proves: 'A correct register response gets 200 and `{"status":"authenticated"}`.',
    cause: "Verification, the webhook's path or the account's creation does not work: begin here.",
    async run(site) {
      const code = await site.issueForNew();
      const answer = await site.respond(code, new Wallet());
      expectStatus(answer, 200, "a correct register response");
      expectAuthenticated(answer.json);
    },
  },
  {
    id: "3.2-login",
    proves: 'A correct login response by a known key gets 200 and `{"status":"authenticated"}`.',
    cause: "The key is stored in another form than the one that it is looked up by.",
    async run(site) {
      const wallet = await site.knownWallet();
      const answer = await site.respond(await site.issue(), wallet);
      expectStatus(answer, 200, "a correct login response");
      expectAuthenticated(answer.json);
    },
  },
  {
    id: "3.2-same-user",
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
  {
    id: "3.2-register-known-key",
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
  {
    id: "3.2-unknown-key",
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
  {
    id: "3.2-order-content-type",
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
      ]) {
        expectStatus(await site.post(site.webhook("login"), body, { "Content-Type": type }), 415, type);
      }
    },
  },
  {
    id: "3.2-order-shape",
    proves: "The body's shape is judged first: 400, though the challenge is unknown too.",
    cause: "The challenge is looked up before the body is validated.",
    async run(site) {
      const body = { ...new Wallet().response(unknownChallenge(site)), timestamp: "now" };
      expectStatus(
        await site.post(site.webhook("login"), body),
        400,
        "a malformed body with an unknown challenge",
      );
    },
  },
  {
    id: "3.2-order-challenge",
    proves: "The challenge is judged before key and signature: an unknown one gets 408, whoever signed what.",
    cause: "The signature is judged first, or the user is looked up first.",
    async run(site) {
      const known = await site.knownWallet();
      // A login waits, which an answer to something else must not reach.
      await site.issue();
      const challenge = unknownChallenge(site);
      const wrong = { signature: new Wallet().sign("another text") };
      expectStatus(
        await site.respond({ challenge }, known, wrong),
        408,
        "unknown challenge, wrong signature",
      );
      expectStatus(await site.respond({ challenge }, new Wallet()), 408, "unknown challenge, unknown key");
      expectStatus(
        await site.respond({ challenge }, known, { public_key: "zz" }),
        408,
        "unknown challenge, no key",
      );
    },
  },
  {
    id: "3.2-order-used",
    proves: "A used challenge gets 408 though the signature is wrong, and though the key is unknown.",
    cause: "Whether a challenge was used is judged last, by the statement that spends it.",
    async run(site) {
      const wallet = await site.knownWallet();
      const { code } = await site.loggedIn(wallet);
      const wrong = { signature: new Wallet().sign("another text") };
      expectStatus(await site.respond(code, wallet, wrong), 408, "used challenge, wrong signature");
      expectStatus(await site.respond(code, new Wallet()), 408, "used challenge, unknown key");
    },
  },
  {
    id: "3.2-order-signature",
    proves:
      "The signature is judged before the key's account: a wrong one gets 406, though the key is unknown.",
    cause: "The user is looked up first, so that strangers learn which keys have accounts.",
    async run(site) {
      const code = await site.issue();
      const wrong = { signature: new Wallet().sign(code.challenge) };
      expectStatus(await site.respond(code, new Wallet(), wrong), 406, "wrong signature, unknown key");
      const status = (await site.statusOf(code.sid)).status;
      if (status === "authenticated") throw new Blocked("A wrong signature is accepted here.");
      if (status !== "pending")
        fail(`After a wrong signature the status is ${JSON.stringify(status)} instead of "pending".`);
    },
  },
];

function expectAuthenticated(body: unknown): void {
  const { status } = (body ?? {}) as { status?: unknown };
  if (status !== "authenticated")
    fail(`The answer is ${JSON.stringify(body)} instead of {"status":"authenticated"}.`);
}
