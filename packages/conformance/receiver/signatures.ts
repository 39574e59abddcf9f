import { randomBytes, randomUUID } from "node:crypto";
import { fail, type Rules, skip } from "../check.ts";
import type { ReceiverId } from "../texts/receiver.ts";
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

/** The tolerance of Standard Webhooks: five minutes in either direction. */
const TOLERANCE_SECONDS = 5 * 60;

function signedEvent(svcKey: string | Buffer, standardKey: string | Buffer) {
  const event = { body: eventBody(), id: `evt_${randomUUID()}`, timestamp: nowSeconds() };
  const standard = standardSignature(standardKey, event.id, event.timestamp, event.body);
  return { event, svc: svcSignature(svcKey, event.body), standard };
}

/** Sends an event with these signatures; null leaves one out. */
const sendSigned = (receiver: Receiver, event: EventChanges, svc: string | null, standard: string | null) =>
  receiver.send({ ...event, headers: { "x-svc-signature": svc, "webhook-signature": standard } });

export const SIGNED_BYTES_CHECKS = {
  async "5.6-taken"(receiver) {
    for (const event of ["login", "register"])
      expectTaken(await receiver.send({ body: eventBody({ event }) }), `a ${event} event`);
  },
  async "5.6-raw-bytes"(receiver) {
    const pretty = JSON.stringify(JSON.parse(eventBody()), null, 2);
    expectTaken(await receiver.send({ body: pretty }), "an event with line breaks");
    const escaped = eventBody().replace("shop.example", "shop\\u002eexample");
    expectTaken(await receiver.send({ body: escaped }), "an event with escaped characters");
  },
  async "5.6-unsigned"(receiver) {
    expectRefused(await sendSigned(receiver, {}, null, null), "no signature");
    expectRefused(await sendSigned(receiver, {}, "", ""), "empty signatures");
  },
  async "5.6-unsigned-kinds"(receiver) {
    for (const event of ["test", "undone"]) {
      const body = eventBody({ event });
      expectRefused(await sendSigned(receiver, { body }, null, null), `no signature, event ${event}`);
      expectRefused(await receiver.send({ body, secret: newSecret() }), `another secret, event ${event}`);
    }
  },
  async "5.6-other-secret"(receiver) {
    expectRefused(await receiver.send({ secret: newSecret() }), "another secret");
  },
  async "5.6-changed-body"(receiver) {
    const signedBody = eventBody();
    for (const [what, sent] of [
      ["another event than was signed", signedBody.replace("login", "register")],
      ["a space behind what was signed", `${signedBody} `],
      ["a space within it", signedBody.replace(",", ", ")],
    ] as const)
      expectRefused(await receiver.send({ body: sent, signedBody }), what);
  },
  async "5.6-signature-whole"(receiver) {
    const { event, svc, standard } = signedEvent(receiver.secret, keyOf(receiver.secret));
    const half = (text: string) => text.slice(0, 20);
    expectRefused(await sendSigned(receiver, event, half(svc), half(standard)), "half of a signature");
    const longer = await sendSigned(receiver, event, `${svc}00`, `${standard}00`);
    expectRefused(longer, "a signature with more behind it");
  },
  async "5.6-keys"(receiver) {
    const { event, svc, standard } = signedEvent(keyOf(receiver.secret), receiver.secret);
    expectRefused(await sendSigned(receiver, event, svc, standard), "signatures with each other's key");
  },
} satisfies Rules<Receiver, ReceiverId>;

const ofStandard =
  (run: (receiver: Receiver) => Promise<void>) =>
  async (receiver: Receiver): Promise<void> => {
    if (!(await receiver.families()).standard) skip("The receiver verifies only x-svc-signature.");
    await run(receiver);
  };

const refusesTime = (seconds: number, what: string) =>
  ofStandard(async (receiver) => {
    if (isTaken(await receiver.sendStandard({ timestamp: nowSeconds() + seconds })))
      fail(`An event of ${what} is taken.`);
  });

export const HEADER_FAMILY_CHECKS = {
  "5.6-old": refusesTime(-TOLERANCE_SECONDS - 60, "six minutes ago"),
  "5.6-future": refusesTime(TOLERANCE_SECONDS + 60, "six minutes ahead"),
  async "5.6-late"(receiver) {
    expectTaken(await receiver.send({ timestamp: nowSeconds() - 60 }), "an event of a minute ago");
  },
  "5.6-signed-timestamp": ofStandard(async (receiver) => {
    const signedTimestamp = nowSeconds() - 60;
    const answer = await receiver.sendStandard({ signedTimestamp });
    expectRefused(answer, "a timestamp that was not signed");
  }),
  "5.6-signed-id": ofStandard(async (receiver) => {
    const answer = await receiver.sendStandard({ signedId: "evt_other" });
    expectRefused(answer, "an id that was not signed");
  }),
  "5.6-rotation": ofStandard(async (receiver) => {
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
  "5.6-other-version": ofStandard(async (receiver) => {
    const { event, standard } = signedEvent(receiver.secret, keyOf(receiver.secret));
    const headers = { "webhook-signature": standard.replace("v1,", "v0,") };
    const answer = await receiver.sendStandard({ ...event, headers });
    expectRefused(answer, "a signature of version v0");
  }),
  async "5.6-svc-signature"(receiver) {
    const { svc, both } = await receiver.families();
    if (!svc) skip("The receiver verifies only webhook-signature.");
    if (both) skip("The receiver goes by both families.");
    const headers = { "webhook-signature": null, "webhook-timestamp": null };
    expectTaken(await receiver.send({ headers }), "an event with only x-svc-signature");
  },
} satisfies Rules<Receiver, ReceiverId>;
