import { randomBytes, randomUUID } from "node:crypto";
import { fail, NotApplicable, type Rule } from "../check.ts";
import {
  eventBody,
  expectRefused,
  expectTaken,
  isTaken,
  keyOf,
  nowSeconds,
  type Receiver,
  standardSignature,
} from "./receiver.ts";

/** Section 5.6: the rules of Standard Webhooks, and of `x-svc-signature` alone. */

/** Standard Webhooks: five minutes, either way. */
const TOLERANCE_SECONDS = 5 * 60;

/** @throws {NotApplicable} unless the receiver goes by Standard Webhooks */
async function needStandard(receiver: Receiver): Promise<void> {
  if (!(await receiver.families()).standard)
    throw new NotApplicable("The receiver goes by x-svc-signature alone.");
}

/** @throws {NotApplicable} unless the receiver goes by `x-svc-signature` */
async function needSvc(receiver: Receiver): Promise<void> {
  if (!(await receiver.families()).svc)
    throw new NotApplicable("The receiver goes by webhook-signature alone.");
}

export const HEADER_FAMILY_CHECKS: readonly Rule<Receiver>[] = [
  {
    id: "5.6-old",
    proves:
      "A receiver of Standard Webhooks refuses an event whose timestamp is old, though its signature is right.",
    cause: "`webhook-timestamp` goes into the signature, and nobody compares it with the clock.",
    async run(receiver) {
      await needStandard(receiver);
      const timestamp = nowSeconds() - TOLERANCE_SECONDS - 60;
      if (isTaken(await receiver.send({ timestamp }))) fail("An event of six minutes ago is taken.");
    },
  },
  {
    id: "5.6-future",
    proves: "A receiver of Standard Webhooks refuses an event whose timestamp lies in the future.",
    cause: "Only the age is compared, and a negative one is young.",
    async run(receiver) {
      await needStandard(receiver);
      const timestamp = nowSeconds() + TOLERANCE_SECONDS + 60;
      if (isTaken(await receiver.send({ timestamp }))) fail("An event of six minutes ahead is taken.");
    },
  },
  {
    id: "5.6-late",
    proves: "An event that was on its way for a minute is taken.",
    cause: "The tolerance is a few seconds, so that a slow network loses events.",
    async run(receiver) {
      expectTaken(await receiver.send({ timestamp: nowSeconds() - 60 }), "an event of a minute ago");
    },
  },
  {
    id: "5.6-signed-timestamp",
    proves: "The timestamp is part of the signature: a fresh one before an old signature gets 401.",
    cause: "The timestamp is compared with the clock, and the signature is judged over the body alone.",
    async run(receiver) {
      await needStandard(receiver);
      const svc = { "x-svc-signature": null };
      const answer = await receiver.send({ signedTimestamp: nowSeconds() - 60, headers: svc });
      expectRefused(answer, "a timestamp that was not signed");
    },
  },
  {
    id: "5.6-signed-id",
    proves: "The event's id is part of the signature: another one before the same signature gets 401.",
    cause: "The signature is judged over timestamp and body, so that a replay under another id is taken.",
    async run(receiver) {
      await needStandard(receiver);
      const answer = await receiver.send({ signedId: "evt_other", headers: { "x-svc-signature": null } });
      expectRefused(answer, "an id that was not signed");
    },
  },
  {
    id: "5.6-rotation",
    proves: "Of several signatures in `webhook-signature` one that verifies is enough, in any place.",
    cause: "The header is compared as a whole, so that every rotation of the secret loses events.",
    async run(receiver) {
      await needStandard(receiver);
      const body = eventBody();
      const timestamp = nowSeconds();
      const other = standardSignature(randomBytes(32), "x", timestamp, body);
      const orders = [
        (own: string) => `${own} ${other}`,
        (own: string) => `${other} ${own}`,
        (own: string) => `v2,AAAA ${own}`,
      ];
      for (const order of orders) {
        const id = `evt_${randomUUID()}`;
        const own = standardSignature(keyOf(receiver.secret), id, timestamp, body);
        const headers = { "webhook-signature": order(own) };
        expectTaken(await receiver.send({ body, id, timestamp, headers }), "an event with two signatures");
      }
    },
  },
  {
    id: "5.6-other-version",
    proves: "A signature of another version than `v1` proves nothing.",
    cause: "What stands before the comma is ignored.",
    async run(receiver) {
      await needStandard(receiver);
      const body = eventBody();
      const id = `evt_${randomUUID()}`;
      const timestamp = nowSeconds();
      const own = standardSignature(keyOf(receiver.secret), id, timestamp, body);
      const headers = { "webhook-signature": own.replace("v1,", "v0,"), "x-svc-signature": null };
      expectRefused(await receiver.send({ body, id, timestamp, headers }), "a signature of version v0");
    },
  },
  {
    id: "5.6-svc-signature",
    proves: "A receiver that goes by `x-svc-signature` needs no other header.",
    cause: "Both families are required, so the simple one is of no use.",
    async run(receiver) {
      await needSvc(receiver);
      const { standard } = await receiver.families();
      if (standard) throw new NotApplicable("The receiver goes by both families.");
      const headers = { "webhook-signature": null, "webhook-timestamp": null };
      expectTaken(await receiver.send({ headers }), "an event with x-svc-signature alone");
    },
  },
];
