import { fail, type Rules } from "../check.ts";
import { expectEqual, expectStatus } from "../expect-status.ts";
import { errorOf } from "../flow/errors.ts";
import * as proofs from "../flow/proofs.ts";
import {
  acceptsProofs,
  answeredLoginIsFinal,
  challengeIsSingleUse,
  describeChanges,
  oneOfManySucceeds,
} from "../flow/responses.ts";
import { Wallet } from "../flow/wallet.ts";
import { type Answer, bodyOf, membersOf } from "../http-client.ts";
import { sha256 } from "../signing-key.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Api, type Body, expectCode, expectInvalid } from "./api.ts";

/** Valid, but some libraries refuse these forms. */
const SPELLINGS = [proofs.compressedKeys, proofs.keysInCapitals, proofs.highS, proofs.signaturesInCapitals];
const UNREADABLE = [
  ...[proofs.otherKeyForms, proofs.invalidPoints, proofs.derLengths, proofs.derIntegers, proofs.derTrailing],
  ...[proofs.derTags, proofs.outOfRangeScalars, proofs.otherSignatureFormats],
];
/** Well-formed, but over a different text or by a different key. */
const UNSIGNED = [proofs.otherHashes, proofs.otherTexts, proofs.otherKeys];

/** The checks of a site already try all proofs of each kind. */
const firstOf = (kinds: readonly proofs.Proofs[], wallet: Wallet, text: string) =>
  kinds.flatMap((proofsOf) => proofsOf(wallet, text).slice(0, 1));

/** Section 5.2: which responses a session's webhook accepts, and the order in which it validates them. */
export const SESSION_RESPONSE_CHECKS = {
  async "5.2-answer"(api) {
    for (const mode of ["login", "register"]) {
      const session = await api.session({ mode });
      const answer = await api.respond(session);
      expectStatus(answer, 200, `a correct ${mode} response`);
      expectEqual(bodyOf(answer).status, "authenticated", "The response's status");
      await api.expectSessionStatus(session.id, "authenticated");
    }
  },
  "5.2-single-use": challengeIsSingleUse,
  "5.2-final": answeredLoginIsFinal,
  "5.2-at-once": (site) => oneOfManySucceeds(site, 24, [2, 3, 4]),
  async "5.2-order"(api) {
    const wallet = new Wallet();
    const session = await api.session();
    const { challenge } = session;
    const webhook = api.webhookOf(session);
    const correctResponse = wallet.response(challenge);
    const unknown = { ...correctResponse, challenge: challenge.slice(0, -32) + "A".repeat(32) };
    const wrong = { signature: wallet.sign("another text") };
    const asText = await api.post(webhook, "{", { "Content-Type": "text/plain" });
    expectStatus(asText, 415, "a malformed body as text/plain");
    for (const [what, status, body] of [
      ["a malformed timestamp for an unknown challenge", 400, { ...unknown, timestamp: "now" }],
      ["a response with an unknown challenge and a wrong signature", 408, { ...unknown, ...wrong }],
      ["a response with a wrong signature", 406, { ...correctResponse, ...wrong }],
      ["a correct response after refused ones", 200, correctResponse],
    ] as const)
      expectStatus(await api.post(webhook, body), status, what);
  },
  async "5.2-intent"(api) {
    const session = await api.session();
    for (const intent of ["add", "approve", "recover", ""]) {
      const answer = await api.respond(session, undefined, { intent });
      expectCode(answer, 406, "intent_mismatch", `a response with \`intent\` ${JSON.stringify(intent)}`);
    }
    expectStatus(await api.respond(session, undefined, { intent: 1 }), 400, "a response with `intent` 1");
    await api.expectSessionStatus(session.id, "pending");
    expectStatus(await api.respond(session, undefined, { intent: null }), 200, "`intent` null");
  },
  async "5.2-other-session"(api) {
    const [{ id, challenge }, other] = [await api.session(), await api.session()];
    const answer = await api.respond({ sid: other.id, challenge });
    expectStatus(answer, 408, "a response at another session's webhook");
    await api.expectSessionStatus(id, "pending");
    await api.expectSessionStatus(other.id, "pending");
    const sid = "A".repeat(id.length);
    expectStatus(await api.respond({ sid, challenge }), 408, "a response at an unknown session's webhook");
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
      expectStatus(await api.respond({ sid, challenge: text }), 408, `a response with the challenge ${text}`);
    }
  },
  "5.2-encodings": acceptsProofs(...SPELLINGS),
  async "5.2-signatures"(api) {
    const wallet = new Wallet();
    const session = await api.session();
    for (const [what, changes] of firstOf([...UNREADABLE, ...UNSIGNED], wallet, session.challenge))
      expectStatus(await api.respond(session, wallet, changes), 406, what);
    await api.expectSessionStatus(session.id, "pending", "After refused responses the session");
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

/** Section 5.3. */
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
    for (const [what, changes] of firstOf(SPELLINGS, wallet, "text")) {
      const answer = await verify(api, wallet, "text", changes);
      expectValid(answer, true, what);
      expectEqual(bodyOf(answer).public_key, wallet.publicKey, "`public_key`");
    }
  },
  async "5.3-invalid"(api) {
    const wallet = new Wallet();
    const ones = { signature: proofs.derHex({ r: 1n, s: 1n }) };
    for (const [what, changes] of [
      ...firstOf(UNSIGNED, wallet, "text"),
      ["a signature whose r and s are one", ones] as const,
    ])
      expectValid(await verify(api, wallet, "text", changes), false, what);
  },
  async "5.3-unreadable"(api) {
    const wallet = new Wallet();
    for (const [what, changes] of firstOf(UNREADABLE, wallet, "text")) {
      const answer = await verify(api, wallet, "text", changes);
      expectCode(answer, 400, "invalid_signature", what);
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
        expectInvalid(answer, describeChanges({ [name]: value }, "a request"));
      }
    }
  },
  async "5.3-authenticates-nobody"(api) {
    const wallet = new Wallet();
    const session = await api.session();
    expectValid(await verify(api, wallet, session.challenge), true, "a signature over a session's challenge");
    await api.expectSessionStatus(session.id, "pending");
    expectStatus(await api.respond(session, wallet), 200, "a response whose signature was verified before");
  },
} satisfies Rules<Api, HostedId>;
