import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Answer } from "../http-client.ts";
import { encodeDer } from "../server/der.ts";
import { ORDER, sha256, Wallet } from "../server/wallet.ts";
import { type Api, type Body, bodyOf } from "./api.ts";
import { expectCode } from "./sessions.ts";

/** Section 5.3: `POST /verify` says whether a signature verifies. */

const verify = (api: Api, wallet: Wallet, message: string, changes: Body = {}): Promise<Answer> =>
  api.call("POST", "/verify", {
    ...{ public_key: wallet.publicKey, signature: wallet.sign(message), message },
    ...changes,
  });

/** @throws {Failure} unless the answer says this */
function expectValid(answer: Answer, expected: boolean, what: string): void {
  expectStatus(answer, 200, what);
  const { valid } = bodyOf(answer);
  if (valid !== expected) fail(`${what}: \`valid\` is ${JSON.stringify(valid)} instead of ${expected}.`);
}

export const VERIFY_CHECKS: readonly Rule<Api>[] = [
  {
    id: "5.3-valid",
    proves:
      "A correct signature over any text is `valid`, with the key in canonical form and the text's hash.",
    cause: "The text has to be a challenge, or is hashed in another encoding than UTF-8.",
    async run(api) {
      const wallet = new Wallet();
      for (const message of ["svc:login:shop.example:1:x", "", "Grüße, 世界 🌍", "a".repeat(5_000)]) {
        const answer = await verify(api, wallet, message);
        expectValid(answer, true, `a signature over ${JSON.stringify(message.slice(0, 20))}`);
        const { public_key: key, message_hash: hash } = bodyOf(answer);
        if (key !== wallet.publicKey)
          fail(`\`public_key\` is ${JSON.stringify(key)} instead of ${wallet.publicKey}.`);
        const expected = `sha256:${sha256(message).toString("hex")}`;
        if (hash !== expected) fail(`\`message_hash\` is ${JSON.stringify(hash)} instead of ${expected}.`);
      }
    },
  },
  {
    id: "5.3-encodings",
    proves: "Compressed keys, any letter case and a high s are read; the key comes back in canonical form.",
    cause: "The library's defaults refuse what wallets send.",
    async run(api) {
      const wallet = new Wallet();
      const { r, s } = wallet.scalars("text");
      for (const changes of [
        { public_key: wallet.compressedKey },
        { public_key: wallet.publicKey.toUpperCase() },
        { signature: wallet.sign("text").toUpperCase() },
        { signature: encodeDer({ r, s: ORDER - s }).toString("hex") },
      ]) {
        const answer = await verify(api, wallet, "text", changes);
        expectValid(answer, true, JSON.stringify(changes).slice(0, 60));
        if (bodyOf(answer).public_key !== wallet.publicKey)
          fail(`The key comes back as ${answer.text.slice(0, 99)}.`);
      }
    },
  },
  {
    id: "5.3-invalid",
    proves: "A well-formed signature that does not verify is 200 with `valid` false.",
    cause: "The result is not looked at, or a wrong signature is answered with an error.",
    async run(api) {
      const wallet = new Wallet();
      const twice = encodeDer(wallet.signDigest(sha256(sha256("text")))).toString("hex");
      for (const [what, changes] of [
        ["over another text", { signature: wallet.sign("texT") }],
        ["by another key", { signature: new Wallet().sign("text") }],
        ["over the hash's hash", { signature: twice }],
        ["with r and s of one", { signature: encodeDer({ r: 1n, s: 1n }).toString("hex") }],
      ] as const) {
        expectValid(await verify(api, wallet, "text", changes), false, `a signature ${what}`);
      }
    },
  },
  {
    id: "5.3-unreadable",
    proves: "A key or signature that cannot be read is 400 `invalid_signature`, and says what was expected.",
    cause: "The library's exception is caught as `valid: false`, which hides the caller's mistake.",
    async run(api) {
      const wallet = new Wallet();
      const right = wallet.sign("text");
      for (const changes of [
        { public_key: "zz" },
        { public_key: `04${"00".repeat(64)}` },
        { public_key: `06${wallet.publicKey.slice(2)}` },
        { signature: "" },
        { signature: `${right}00` },
        { signature: `3081${right.slice(2)}` },
        { signature: `0x${right}` },
        { signature: Buffer.from(right, "hex").toString("base64") },
        { signature: encodeDer({ r: 1n, s: ORDER }).toString("hex") },
      ]) {
        const answer = await verify(api, wallet, "text", changes);
        expectCode(answer, 400, "invalid_signature", JSON.stringify(changes).slice(0, 60));
        const { details } = (bodyOf(answer).error ?? {}) as { details?: Body };
        if (typeof details?.public_key !== "string" || typeof details.expected_format !== "string")
          fail(`The refusal's details are ${JSON.stringify(details)}.`);
      }
    },
  },
  {
    id: "5.3-shape",
    proves: "A missing field, or one of another type, is 400 `invalid_request`.",
    cause: "Values are converted: `String(…)` makes a text of anything.",
    async run(api) {
      const wallet = new Wallet();
      for (const name of ["public_key", "signature", "message"]) {
        for (const value of [undefined, 1, null, ["text"]]) {
          const answer = await verify(api, wallet, "text", { [name]: value });
          expectCode(answer, 400, "invalid_request", `${name}: ${JSON.stringify(value) ?? "absent"}`);
        }
      }
    },
  },
  {
    id: "5.3-authenticates-nobody",
    proves: "Verifying a session's challenge leaves the session pending and its challenge unspent.",
    cause: "One function judges both, and the verification spends what it finds.",
    async run(api) {
      const wallet = new Wallet();
      const session = await api.session();
      expectValid(await verify(api, wallet, session.challenge), true, "a session's challenge");
      const status = await api.statusOf(session.id);
      if (status !== "pending") fail(`The session is ${JSON.stringify(status)} instead of "pending".`);
      expectStatus(await api.respond(session, wallet), 200, "an answer after it was verified");
    },
  },
];
