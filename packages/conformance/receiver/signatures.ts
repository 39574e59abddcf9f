import { randomBytes, randomUUID } from "node:crypto";
import { fail, NotApplicable, type Rules } from "../check.ts";
import {
  type EventChanges,
  eventBody,
  expectRefused,
  expectTaken,
  isTaken,
  keyOf,
  newSecret,
  nowSeconds,
  type Receiver,
  standardSignature,
  svcSignature,
} from "./receiver.ts";

/** Section 5.6: which parts of an event are signed, in both families of headers, and the rules of each family. */

/** Standard Webhooks: five minutes, either way. */
const TOLERANCE_SECONDS = 5 * 60;

/** An event of now, and its signatures. */
function signedEvent(svcKey: string | Buffer, standardKey: string | Buffer) {
  const event = { body: eventBody(), id: `evt_${randomUUID()}`, timestamp: nowSeconds() };
  const standard = standardSignature(standardKey, event.id, event.timestamp, event.body);
  return { event, svc: svcSignature(svcKey, event.body), standard };
}

/** Sends an event with these signatures; null leaves one out. */
const sendSigned = (receiver: Receiver, event: EventChanges, svc: string | null, standard: string | null) =>
  receiver.send({ ...event, headers: { "x-svc-signature": svc, "webhook-signature": standard } });

export const SIGNED_BYTES_CHECKS: Rules<Receiver> = {
  "5.6-taken": {
    proves: "A correctly signed event is answered with a 2xx.",
    cause: "The wrong secret, or a signature over the parsed body instead of its bytes: begin here.",
    async run(receiver) {
      for (const event of ["login", "register"]) {
        expectTaken(await receiver.send({ body: eventBody({ event }) }), `a ${event} event`);
      }
    },
  },
  "5.6-raw-bytes": {
    proves: "The signature is judged over the bytes that came, however the JSON in them is written.",
    cause: "A framework parses the body, and the receiver signs `JSON.stringify` of what it was given.",
    async run(receiver) {
      const pretty = JSON.stringify(JSON.parse(eventBody()), null, 2);
      expectTaken(await receiver.send({ body: pretty }), "an event with line breaks");
      const escaped = eventBody().replace("shop.example", "shop\\u002eexample");
      expectTaken(await receiver.send({ body: escaped }), "an event with escaped characters");
    },
  },
  "5.6-unsigned": {
    proves: "An event without a signature gets 401.",
    cause: "A missing header is skipped, or compares equal to a missing expectation.",
    async run(receiver) {
      expectRefused(await sendSigned(receiver, {}, null, null), "no signature");
      expectRefused(await sendSigned(receiver, {}, "", ""), "empty signatures");
    },
  },
  "5.6-unsigned-kinds": {
    proves: "A `test` or `undone` event without a signature, or signed with another secret, gets 401 too.",
    cause: "What signs nobody in is answered before the signature is judged.",
    async run(receiver) {
      for (const event of ["test", "undone"]) {
        const body = eventBody({ event });
        expectRefused(await sendSigned(receiver, { body }, null, null), `no signature, event ${event}`);
        expectRefused(await receiver.send({ body, secret: newSecret() }), `another secret, event ${event}`);
      }
    },
  },
  "5.6-other-secret": {
    proves: "An event that is signed with another secret gets 401.",
    cause: "The signature is computed, and the result is not used.",
    async run(receiver) {
      expectRefused(await receiver.send({ secret: newSecret() }), "another secret");
    },
  },
  "5.6-changed-body": {
    proves:
      "An event whose body was changed after it was signed gets 401, by one character of white space too.",
    cause: "The body is parsed and written again before it is judged.",
    async run(receiver) {
      const signedBody = eventBody();
      for (const [what, sent] of [
        ["another event than was signed", signedBody.replace("login", "register")],
        ["a space behind what was signed", `${signedBody} `],
        ["a space within it", signedBody.replace(",", ", ")],
      ] as const)
        expectRefused(await receiver.send({ body: sent, signedBody }), what);
    },
  },
  "5.6-signature-whole": {
    proves: "A part of a signature, or one that holds another, gets 401.",
    cause: "Signatures are compared by `startsWith` or `includes`, or only up to the shorter length.",
    async run(receiver) {
      const { event, svc, standard } = signedEvent(receiver.secret, keyOf(receiver.secret));
      const half = (text: string) => text.slice(0, 20);
      expectRefused(await sendSigned(receiver, event, half(svc), half(standard)), "half of a signature");
      const longer = await sendSigned(receiver, event, `${svc}00`, `${standard}00`);
      expectRefused(longer, "a signature with more behind it");
    },
  },
  "5.6-keys": {
    proves:
      "`x-svc-signature` is keyed by the secret's text, `webhook-signature` by its 32 bytes; not the other way round.",
    cause: "One key for both families.",
    async run(receiver) {
      const { event, svc, standard } = signedEvent(keyOf(receiver.secret), receiver.secret);
      expectRefused(await sendSigned(receiver, event, svc, standard), "signatures with each other's key");
    },
  },
};

/** A check only for receivers that go by Standard Webhooks. */
const ofStandard =
  (run: (receiver: Receiver) => Promise<void>) =>
  async (receiver: Receiver): Promise<void> => {
    if (!(await receiver.families()).standard)
      throw new NotApplicable("The receiver goes by x-svc-signature alone.");
    await run(receiver);
  };

/** Expects an event so far from now to be refused. */
const refusesTime = (seconds: number, what: string) =>
  ofStandard(async (receiver) => {
    if (isTaken(await receiver.sendStandard({ timestamp: nowSeconds() + seconds })))
      fail(`An event of ${what} is taken.`);
  });

export const HEADER_FAMILY_CHECKS: Rules<Receiver> = {
  "5.6-old": {
    proves:
      "A receiver of Standard Webhooks refuses an event whose timestamp is old, though its signature is right.",
    cause: "`webhook-timestamp` goes into the signature, and nobody compares it with the clock.",
    run: refusesTime(-TOLERANCE_SECONDS - 60, "six minutes ago"),
  },
  "5.6-future": {
    proves: "A receiver of Standard Webhooks refuses an event whose timestamp lies in the future.",
    cause: "Only the age is compared, and a negative one is young.",
    run: refusesTime(TOLERANCE_SECONDS + 60, "six minutes ahead"),
  },
  "5.6-late": {
    proves: "An event that was on its way for a minute is taken.",
    cause: "The tolerance is a few seconds, so that a slow network loses events.",
    async run(receiver) {
      expectTaken(await receiver.send({ timestamp: nowSeconds() - 60 }), "an event of a minute ago");
    },
  },
  "5.6-signed-timestamp": {
    proves: "The timestamp is part of the signature: a fresh one before an old signature gets 401.",
    cause: "The timestamp is compared with the clock, and the signature is judged over the body alone.",
    run: ofStandard(async (receiver) => {
      const signedTimestamp = nowSeconds() - 60;
      const answer = await receiver.sendStandard({ signedTimestamp });
      expectRefused(answer, "a timestamp that was not signed");
    }),
  },
  "5.6-signed-id": {
    proves: "The event's id is part of the signature: another one before the same signature gets 401.",
    cause: "The signature is judged over timestamp and body, so that a replay under another id is taken.",
    run: ofStandard(async (receiver) => {
      const answer = await receiver.sendStandard({ signedId: "evt_other" });
      expectRefused(answer, "an id that was not signed");
    }),
  },
  "5.6-rotation": {
    proves: "Of several signatures in `webhook-signature` one that verifies is enough, in any place.",
    cause: "The header is compared as a whole, so that every rotation of the secret loses events.",
    run: ofStandard(async (receiver) => {
      const other = standardSignature(randomBytes(32), "x", nowSeconds(), eventBody());
      for (const order of [
        (own: string) => `${own} ${other}`,
        (own: string) => `${other} ${own}`,
        (own: string) => `v2,AAAA ${own}`,
      ]) {
        const { event, standard } = signedEvent(receiver.secret, keyOf(receiver.secret));
        const headers = { "webhook-signature": order(standard) };
        expectTaken(await receiver.sendStandard({ ...event, headers }), "an event with two signatures");
      }
    }),
  },
  "5.6-other-version": {
    proves: "A signature of another version than `v1` proves nothing.",
    cause: "What stands before the comma is ignored.",
    run: ofStandard(async (receiver) => {
      const { event, standard } = signedEvent(receiver.secret, keyOf(receiver.secret));
      const headers = { "webhook-signature": standard.replace("v1,", "v0,") };
      const answer = await receiver.sendStandard({ ...event, headers });
      expectRefused(answer, "a signature of version v0");
    }),
  },
  "5.6-svc-signature": {
    proves: "A receiver that goes by `x-svc-signature` needs no other header.",
    cause: "Both families are required, so the simple one is of no use.",
    async run(receiver) {
      const { svc, both } = await receiver.families();
      if (!svc) throw new NotApplicable("The receiver goes by webhook-signature alone.");
      if (both) throw new NotApplicable("The receiver goes by both families.");
      const headers = { "webhook-signature": null, "webhook-timestamp": null };
      expectTaken(await receiver.send({ headers }), "an event with x-svc-signature alone");
    },
  },
};
