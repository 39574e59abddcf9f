import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { answeredIsFinal, oneOfManySucceeds, singleUse } from "../flow/spending.ts";
import { encodeDer } from "../server/der.ts";
import { ORDER, sha256, Wallet } from "../server/wallet.ts";
import { type Api, bodyOf } from "./api.ts";
import { expectCode } from "./sessions.ts";

/** Section 5.2: what a session's webhook takes from a wallet, and in which order it judges. */

export const SESSION_RESPONSE_CHECKS: readonly Rule<Api>[] = [
  {
    id: "5.2-answer",
    proves: "A correct answer of any wallet is 200: the customer knows its users, and not the API.",
    cause:
      "The key is looked up among the users of the API's own site, or the webhook does not work: begin here.",
    async run(api) {
      for (const mode of ["login", "register"]) {
        const session = await api.session({ mode });
        const answer = await api.respond(session);
        expectStatus(answer, 200, `a correct answer (${mode})`);
        if (bodyOf(answer).status !== "authenticated")
          fail(`The answer is ${answer.text.slice(0, 100)} instead of {"status":"authenticated"}.`);
        if ((await api.statusOf(session.id)) !== "authenticated") fail("The session is still pending.");
      }
    },
  },
  {
    id: "5.2-single-use",
    proves: "A session is answered once: the same wallet and any other get 408 afterwards.",
    cause: "Used challenges are not marked, so that the user of a session can be replaced.",
    run: singleUse,
  },
  {
    id: "5.2-final",
    proves: "Once a session is answered, an older challenge of it puts no other user in its place.",
    cause: "The older challenges of a session stay alive after one of them has succeeded.",
    run: answeredIsFinal,
  },
  {
    id: "5.2-at-once",
    proves: "Of many answers to one challenge at once exactly one gets 200, and the others get 408.",
    cause: "The challenge is read, judged and spent in separate steps.",
    // More would use up a minute's share of one address.
    run: (site) => oneOfManySucceeds(site, 24, [2, 3, 4]),
  },
  {
    id: "5.2-order",
    proves: "Content type, shape, challenge and signature are judged in this order: 415, 400, 408, 406.",
    cause: "The signature is judged first, or the challenge is looked up before the body is validated.",
    async run(api) {
      const wallet = new Wallet();
      const session = await api.session();
      const right = wallet.response(session.challenge);
      const unknown = { ...right, challenge: session.challenge.slice(0, -32) + "A".repeat(32) };
      const wrong = { signature: wallet.sign("another text") };
      const asText = { "Content-Type": "text/plain" };
      expectStatus(await api.post(api.webhook(session.id), "{", asText), 415, "a malformed text");
      expectStatus(
        await api.post(api.webhook(session.id), { ...unknown, timestamp: "now" }),
        400,
        "a malformed body",
      );
      expectStatus(
        await api.post(api.webhook(session.id), { ...unknown, ...wrong }),
        408,
        "an unknown challenge",
      );
      expectStatus(await api.post(api.webhook(session.id), { ...right, ...wrong }), 406, "a wrong signature");
      expectStatus(await api.post(api.webhook(session.id), right), 200, "a correct answer after all that");
    },
  },
  {
    id: "5.2-intent",
    proves: "An answer that showed an intent is 406 and leaves the session pending; null is as good as none.",
    cause:
      "The field is ignored, though no code of the hosted API has an intent: somebody has changed this one.",
    async run(api) {
      const session = await api.session();
      for (const intent of ["add", "approve", "recover", ""]) {
        const what = `intent: ${JSON.stringify(intent)}`;
        expectCode(await api.respond(session, undefined, { intent }), 406, "intent_mismatch", what);
      }
      expectStatus(await api.respond(session, undefined, { intent: 1 }), 400, "intent: 1");
      if ((await api.statusOf(session.id)) !== "pending") fail("The session is not pending any more.");
      expectStatus(await api.respond(session, undefined, { intent: null }), 200, "intent: null");
    },
  },
  {
    id: "5.2-other-session",
    proves: "A session takes answers to its own challenges alone; at an unknown session every answer is 408.",
    cause: "The challenge is looked up, and the session of the path is not compared with it.",
    async run(api) {
      const [one, other] = [await api.session(), await api.session()];
      const answer = await api.respond({ sid: other.id, challenge: one.challenge });
      expectStatus(answer, 408, "an answer at another session's webhook");
      for (const { id } of [one, other]) {
        if ((await api.statusOf(id)) !== "pending") fail("One of the two sessions is authenticated.");
      }
      const sid = "A".repeat(one.id.length);
      expectStatus(await api.respond({ sid, challenge: one.challenge }), 408, "an unknown session");
    },
  },
  {
    id: "5.2-other-domain",
    proves: "An answer to a challenge with another domain, action or time than was issued is 408.",
    cause: "The nonce is looked up, and what stands beside it is not compared.",
    async run(api) {
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
  },
  {
    id: "5.2-encodings",
    proves: "Keys may be compressed and signatures may have a high s, in any letter case.",
    cause: "The library's defaults, which refuse what other wallets send.",
    async run(api) {
      const wallet = new Wallet();
      const high = (challenge: string) => {
        const { r, s } = wallet.scalars(challenge);
        return encodeDer({ r, s: ORDER - s }).toString("hex");
      };
      for (const changes of [
        () => ({ public_key: wallet.compressedKey }),
        () => ({ public_key: wallet.publicKey.toUpperCase() }),
        (challenge: string) => ({ signature: high(challenge) }),
        (challenge: string) => ({ signature: wallet.sign(challenge).toUpperCase() }),
      ]) {
        const session = await api.session();
        const change = changes(session.challenge);
        const answer = await api.respond(session, wallet, change);
        expectStatus(answer, 200, JSON.stringify(change).slice(0, 100));
      }
    },
  },
  {
    id: "5.2-signatures",
    proves: "Other signatures are 406, and the session stays pending: loose DER, other hashes, other keys.",
    cause: "The signature is read as BER, or verified over something that the caller chose.",
    async run(api) {
      const wallet = new Wallet();
      const session = await api.session();
      const { challenge } = session;
      const { r, s } = wallet.scalars(challenge);
      const right = encodeDer({ r, s }).toString("hex");
      const hybrid = (/[02468ace]$/.test(wallet.publicKey) ? "06" : "07") + wallet.publicKey.slice(2);
      const wrong: [string, Record<string, string>][] = [
        ["a byte behind it", { signature: `${right}00` }],
        ["a long length", { signature: `3081${right.slice(2)}` }],
        ["r + n", { signature: encodeDer({ r: r + ORDER, s }).toString("hex") }],
        ["s of zero", { signature: encodeDer({ r, s: 0n }).toString("hex") }],
        ["base64", { signature: Buffer.from(right, "hex").toString("base64") }],
        [
          "SHA-256 twice",
          { signature: encodeDer(wallet.signDigest(sha256(sha256(challenge)))).toString("hex") },
        ],
        ["another text", { signature: wallet.sign(`${challenge} `) }],
        ["another wallet", { signature: new Wallet().sign(challenge) }],
        ["a hybrid key", { public_key: hybrid }],
        ["no point", { public_key: `04${"00".repeat(64)}` }],
      ];
      for (const [what, changes] of wrong) {
        expectStatus(await api.respond(session, wallet, changes), 406, `a signature with or by ${what}`);
      }
      const status = await api.statusOf(session.id);
      if (status !== "pending")
        fail(`After refused answers the session is ${JSON.stringify(status)} instead of "pending".`);
    },
  },
];
