import { fail, type Rules } from "../check.ts";
import { expectEqual, expectStatus } from "../expect-status.ts";
import { errorOf } from "../flow/errors.ts";
import { answeredIsFinal, oneOfManySucceeds, singleUse } from "../flow/spending.ts";
import { type Answer, bodyOf, membersOf } from "../http-client.ts";
import { encodeDer, type Scalars } from "../server/der.ts";
import { Wallet } from "../server/wallet.ts";
import { ORDER, sha256 } from "../signing-key.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Api, type Body, expectCode, expectInvalid } from "./api.ts";

const derOf = (scalars: Scalars) => encodeDer(scalars).toString("hex");
const twiceHashed = (wallet: Wallet, text: string) => derOf(wallet.signDigest(sha256(sha256(text))));

/** Other ways to write a wallet's key and its signature, which are valid too. */
function otherForms(wallet: Wallet, text: string): { public_key?: string; signature?: string }[] {
  const { r, s } = wallet.scalars(text);
  return [
    { public_key: wallet.compressedKey },
    { public_key: wallet.publicKey.toUpperCase() },
    { signature: derOf({ r, s: ORDER - s }) },
    { signature: wallet.sign(text).toUpperCase() },
  ];
}

/** Section 5.2: the responses that a session's webhook accepts, and the order of its checks. */
export const SESSION_RESPONSE_CHECKS = {
  async "5.2-answer"(api) {
    for (const mode of ["login", "register"]) {
      const session = await api.session({ mode });
      const answer = await api.respond(session);
      expectStatus(answer, 200, `a correct answer (${mode})`);
      expectEqual(bodyOf(answer).status, "authenticated", "The answer's status");
      await api.expectStanding(session.id, "authenticated");
    }
  },
  "5.2-single-use": singleUse,
  "5.2-final": answeredIsFinal,
  "5.2-at-once": (site) => oneOfManySucceeds(site, 24, [2, 3, 4]),
  async "5.2-order"(api) {
    const wallet = new Wallet();
    const { id, challenge } = await api.session();
    const right = wallet.response(challenge);
    const unknown = { ...right, challenge: challenge.slice(0, -32) + "A".repeat(32) };
    const wrong = { signature: wallet.sign("another text") };
    const asText = await api.post(api.webhook(id), "{", { "Content-Type": "text/plain" });
    expectStatus(asText, 415, "a malformed text");
    for (const [what, status, body] of [
      ["a malformed body", 400, { ...unknown, timestamp: "now" }],
      ["an unknown challenge", 408, { ...unknown, ...wrong }],
      ["a wrong signature", 406, { ...right, ...wrong }],
      ["a correct answer after all that", 200, right],
    ] as const)
      expectStatus(await api.post(api.webhook(id), body), status, what);
  },
  async "5.2-intent"(api) {
    const session = await api.session();
    for (const intent of ["add", "approve", "recover", ""]) {
      const answer = await api.respond(session, undefined, { intent });
      expectCode(answer, 406, "intent_mismatch", `intent: ${JSON.stringify(intent)}`);
    }
    expectStatus(await api.respond(session, undefined, { intent: 1 }), 400, "intent: 1");
    await api.expectStanding(session.id, "pending");
    expectStatus(await api.respond(session, undefined, { intent: null }), 200, "intent: null");
  },
  async "5.2-other-session"(api) {
    const [{ id, challenge }, other] = [await api.session(), await api.session()];
    const answer = await api.respond({ sid: other.id, challenge });
    expectStatus(answer, 408, "an answer at another session's webhook");
    await api.expectStanding(id, "pending");
    await api.expectStanding(other.id, "pending");
    const sid = "A".repeat(id.length);
    expectStatus(await api.respond({ sid, challenge }), 408, "an unknown session");
  },
  async "5.2-other-domain"(api) {
    const { sid, challenge } = await api.session();
    const parts = challenge.split(":");
    for (const changed of [
      parts.with(2, "evil.example"),
      parts.with(1, "register"),
      parts.with(3, String(Number(parts[3]) + 1)),
    ]) {
      const text = changed.join(":");
      expectStatus(await api.respond({ sid, challenge: text }), 408, `the challenge ${text}`);
    }
  },
  async "5.2-encodings"(api) {
    const wallet = new Wallet();
    for (const index of otherForms(wallet, "").keys()) {
      const session = await api.session();
      const form = otherForms(wallet, session.challenge)[index];
      expectStatus(await api.respond(session, wallet, form), 200, JSON.stringify(form).slice(0, 100));
    }
  },
  async "5.2-signatures"(api) {
    const wallet = new Wallet();
    const session = await api.session();
    const { challenge } = session;
    const { r, s } = wallet.scalars(challenge);
    const right = derOf({ r, s });
    const hybrid = (/[02468ace]$/.test(wallet.publicKey) ? "06" : "07") + wallet.publicKey.slice(2);
    for (const [what, changes] of [
      ["a byte behind it", { signature: `${right}00` }],
      ["a long length", { signature: `3081${right.slice(2)}` }],
      ["r + n", { signature: derOf({ r: r + ORDER, s }) }],
      ["s of zero", { signature: derOf({ r, s: 0n }) }],
      ["base64", { signature: Buffer.from(right, "hex").toString("base64") }],
      ["SHA-256 twice", { signature: twiceHashed(wallet, challenge) }],
      ["another text", { signature: wallet.sign(`${challenge} `) }],
      ["another wallet", { signature: new Wallet().sign(challenge) }],
      ["a hybrid key", { public_key: hybrid }],
      ["no point", { public_key: `04${"00".repeat(64)}` }],
    ] as const)
      expectStatus(await api.respond(session, wallet, changes), 406, `a signature with or by ${what}`);
    await api.expectStanding(session.id, "pending", "After refused answers the session");
  },
} satisfies Rules<Api, HostedId>;

const verify = (api: Api, wallet: Wallet, message: string, changes: Body = {}): Promise<Answer> =>
  api.call("POST", "/verify", {
    ...{ public_key: wallet.publicKey, signature: wallet.sign(message), message },
    ...changes,
  });

function expectValid(answer: Answer, expected: boolean, what: string): void {
  expectStatus(answer, 200, what);
  expectEqual(bodyOf(answer).valid, expected, `${what}: \`valid\``);
}

/** Section 5.3: `POST /verify` checks a signature. */
export const VERIFY_CHECKS = {
  async "5.3-valid"(api) {
    const wallet = new Wallet();
    for (const message of ["svc:login:shop.example:1:x", "", "Grüße, 世界 🌍", "a".repeat(5_000)]) {
      const answer = await verify(api, wallet, message);
      expectValid(answer, true, `a signature over ${JSON.stringify(message.slice(0, 20))}`);
      const { public_key: key, message_hash: hash } = bodyOf(answer);
      expectEqual(key, wallet.publicKey, "`public_key`");
      expectEqual(hash, `sha256:${sha256(message).toString("hex")}`, "`message_hash`");
    }
  },
  async "5.3-encodings"(api) {
    const wallet = new Wallet();
    for (const form of otherForms(wallet, "text")) {
      const answer = await verify(api, wallet, "text", form);
      expectValid(answer, true, JSON.stringify(form).slice(0, 60));
      expectEqual(bodyOf(answer).public_key, wallet.publicKey, "`public_key`");
    }
  },
  async "5.3-invalid"(api) {
    const wallet = new Wallet();
    for (const [what, signature] of [
      ["over another text", wallet.sign("texT")],
      ["by another key", new Wallet().sign("text")],
      ["over the hash's hash", twiceHashed(wallet, "text")],
      ["with r and s of one", derOf({ r: 1n, s: 1n })],
    ] as const)
      expectValid(await verify(api, wallet, "text", { signature }), false, `a signature ${what}`);
  },
  async "5.3-unreadable"(api) {
    const wallet = new Wallet();
    const right = wallet.sign("text");
    const keys = ["zz", `04${"00".repeat(64)}`, `06${wallet.publicKey.slice(2)}`];
    const signatures = [
      ...["", `${right}00`, `3081${right.slice(2)}`, `0x${right}`],
      ...[Buffer.from(right, "hex").toString("base64"), derOf({ r: 1n, s: ORDER })],
    ];
    for (const changes of [
      ...keys.map((public_key) => ({ public_key })),
      ...signatures.map((signature) => ({ signature })),
    ]) {
      const answer = await verify(api, wallet, "text", changes);
      expectCode(answer, 400, "invalid_signature", JSON.stringify(changes).slice(0, 60));
      const { details } = errorOf(answer);
      const { public_key: key, expected_format: format } = membersOf(details);
      if (typeof key !== "string" || typeof format !== "string")
        fail(`The refusal's details are ${JSON.stringify(details)}.`);
    }
  },
  async "5.3-shape"(api) {
    const wallet = new Wallet();
    for (const name of ["public_key", "signature", "message"]) {
      for (const value of [undefined, 1, null, ["text"]]) {
        const answer = await verify(api, wallet, "text", { [name]: value });
        expectInvalid(answer, `${name}: ${JSON.stringify(value) ?? "absent"}`);
      }
    }
  },
  async "5.3-authenticates-nobody"(api) {
    const wallet = new Wallet();
    const session = await api.session();
    expectValid(await verify(api, wallet, session.challenge), true, "a session's challenge");
    await api.expectStanding(session.id, "pending");
    expectStatus(await api.respond(session, wallet), 200, "an answer after it was verified");
  },
} satisfies Rules<Api, HostedId>;
