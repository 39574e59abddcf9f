import { randomBytes, randomUUID } from "node:crypto";
import { type Check, fail, NotApplicable } from "../check.ts";
import {
  eventBody,
  expectRefused,
  expectTaken,
  isTaken,
  keyOf,
  nowSeconds,
  type Receiver,
  standardSignature,
  svcSignature,
} from "./receiver.ts";

/** Section 5.6: what receives events of the hosted API. */

const ATTEMPT_SECONDS = 15;
/** Standard Webhooks: five minutes, either way. */
const TOLERANCE_SECONDS = 5 * 60;
const AT_ONCE = 10;

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

export const RECEIVER_CHECKS: readonly Check<Receiver>[] = [
  {
    id: "5.6-taken",
    level: "MUST",
    proves: "A correctly signed event is answered with a 2xx.",
    cause: "The wrong secret, or a signature over the parsed body instead of its bytes: begin here.",
    async run(receiver) {
      for (const event of ["login", "register"]) {
        expectTaken(await receiver.send({ body: eventBody({ event }) }), `a ${event} event`);
      }
    },
  },
  {
    id: "5.6-raw-bytes",
    level: "MUST",
    proves: "The signature is judged over the bytes that came, however the JSON in them is written.",
    cause: "A framework parses the body, and the receiver signs `JSON.stringify` of what it was given.",
    async run(receiver) {
      const pretty = JSON.stringify(JSON.parse(eventBody()), null, 2);
      expectTaken(await receiver.send({ body: pretty }), "an event with line breaks");
      const escaped = eventBody().replace("shop.example", "shop\\u002eexample");
      expectTaken(await receiver.send({ body: escaped }), "an event with escaped characters");
    },
  },
  {
    id: "5.6-unsigned",
    level: "MUST",
    proves: "An event without a signature gets 401.",
    cause: "A missing header is skipped, or compares equal to a missing expectation.",
    async run(receiver) {
      const none = { "webhook-signature": null, "x-svc-signature": null };
      expectRefused(await receiver.send({ headers: none }), "no signature");
      const empty = { "webhook-signature": "", "x-svc-signature": "" };
      expectRefused(await receiver.send({ headers: empty }), "empty signatures");
    },
  },
  {
    id: "5.6-other-secret",
    level: "MUST",
    proves: "An event that is signed with another secret gets 401.",
    cause: "The signature is computed, and the result is not used.",
    async run(receiver) {
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      expectRefused(await receiver.send({ secret }), "another secret");
    },
  },
  {
    id: "5.6-changed-body",
    level: "MUST",
    proves:
      "An event whose body was changed after it was signed gets 401, by one character of white space too.",
    cause: "The body is parsed and written again before it is judged.",
    async run(receiver) {
      const signedBody = eventBody();
      const other = signedBody.replace("login", "register");
      expectRefused(await receiver.send({ body: other, signedBody }), "another event than was signed");
      expectRefused(
        await receiver.send({ body: `${signedBody} `, signedBody }),
        "a space behind what was signed",
      );
      expectRefused(
        await receiver.send({ body: signedBody.replace(",", ", "), signedBody }),
        "a space within it",
      );
    },
  },
  {
    id: "5.6-signature-whole",
    level: "MUST",
    proves: "A part of a signature, or one that holds another, gets 401.",
    cause: "Signatures are compared by `startsWith` or `includes`, or only up to the shorter length.",
    async run(receiver) {
      const body = eventBody();
      const id = `evt_${randomUUID()}`;
      const timestamp = nowSeconds();
      const svc = svcSignature(receiver.secret, body);
      const standard = standardSignature(keyOf(receiver.secret), id, timestamp, body);
      for (const [what, change] of [
        ["half of a signature", (text: string) => text.slice(0, 20)],
        ["a signature with more behind it", (text: string) => `${text}00`],
      ] as const) {
        const headers = { "x-svc-signature": change(svc), "webhook-signature": change(standard) };
        expectRefused(await receiver.send({ body, id, timestamp, headers }), what);
      }
    },
  },
  {
    id: "5.6-keys",
    level: "MUST",
    proves:
      "`x-svc-signature` is keyed by the secret's text, `webhook-signature` by its 32 bytes; not the other way round.",
    cause: "One key for both families.",
    async run(receiver) {
      const body = eventBody();
      const id = `evt_${randomUUID()}`;
      const timestamp = nowSeconds();
      const headers = {
        "x-svc-signature": svcSignature(keyOf(receiver.secret), body),
        "webhook-signature": standardSignature(receiver.secret, id, timestamp, body),
      };
      expectRefused(
        await receiver.send({ body, id, timestamp, headers }),
        "signatures with each other's key",
      );
    },
  },
  {
    id: "5.6-old",
    level: "MUST",
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
    level: "MUST",
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
    level: "MUST",
    proves: "An event that was on its way for a minute is taken.",
    cause: "The tolerance is a few seconds, so that a slow network loses events.",
    async run(receiver) {
      expectTaken(await receiver.send({ timestamp: nowSeconds() - 60 }), "an event of a minute ago");
    },
  },
  {
    id: "5.6-signed-timestamp",
    level: "MUST",
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
    level: "MUST",
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
    level: "MUST",
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
    level: "MUST",
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
    level: "MUST",
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
  {
    id: "5.6-again",
    level: "MUST",
    proves: "An event that comes again is acknowledged again, and breaks nothing.",
    cause:
      "The second insert violates a constraint, and the answer is a 500: the event is sent for three days.",
    async run(receiver) {
      const id = `evt_${randomUUID()}`;
      const body = eventBody();
      expectTaken(await receiver.send({ id, body }), "an event");
      expectTaken(await receiver.send({ id, body }), "the same event again");
      const later = await receiver.send({ id, body, timestamp: nowSeconds() + 2 });
      expectTaken(later, "the same event at a later attempt");
    },
  },
  {
    id: "5.6-at-once",
    level: "MUST",
    proves: "The same event several times at once is acknowledged each time.",
    cause: "Whether an event was taken is read and written in separate steps.",
    async run(receiver) {
      const id = `evt_${randomUUID()}`;
      const body = eventBody();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => receiver.send({ id, body })));
      for (const answer of answers) expectTaken(answer, "one of ten equal events at once");
    },
  },
  {
    id: "5.6-order",
    level: "MUST",
    proves: "Events come in any order: an older one after a newer one is taken.",
    cause: "The receiver keeps the last timestamp and refuses what is before it.",
    async run(receiver) {
      const session = randomUUID();
      const at = (seconds: number) => ({
        timestamp: new Date(Date.now() + seconds * 1000).toISOString(),
        session_id: session,
      });
      expectTaken(await receiver.send({ body: eventBody(at(0)) }), "an event");
      const older = await receiver.send({ body: eventBody(at(-30)), timestamp: nowSeconds() - 30 });
      expectTaken(older, "an older event after it");
    },
  },
  {
    id: "5.6-test-event",
    level: "MUST",
    proves: "The event `test` is taken.",
    cause: "Its `session_id` is looked for, and not found.",
    async run(receiver) {
      expectTaken(
        await receiver.send({ body: eventBody({ event: "test", session_id: "test" }) }),
        "a test event",
      );
    },
  },
  {
    id: "5.6-unknown-session",
    level: "MUST",
    proves: "An event for a session that the receiver does not know is acknowledged.",
    cause: "The answer is a 404, so the event is sent for three days.",
    async run(receiver) {
      const body = eventBody({ session_id: randomUUID() });
      expectTaken(await receiver.send({ body }), "an event of an unknown session");
    },
  },
  {
    id: "5.6-unknown-type",
    level: "SHOULD",
    proves: "An event of a type that the receiver does not know is acknowledged.",
    cause: "A `switch` whose default throws.",
    async run(receiver) {
      expectTaken(
        await receiver.send({ body: eventBody({ event: "key.rotated" }) }),
        "an event of a new type",
      );
    },
  },
  {
    id: "5.6-unknown-fields",
    level: "MUST",
    proves: "Fields that the receiver does not know are ignored.",
    cause: "The body is validated strictly.",
    async run(receiver) {
      expectTaken(
        await receiver.send({ body: eventBody({ version: 2, more: { a: [] } }) }),
        "an event with more fields",
      );
    },
  },
  {
    id: "5.6-malformed",
    level: "MUST",
    proves: "A signed body that is no event breaks nothing: no 5xx.",
    cause: "The exception of `JSON.parse`, or of a missing field, is not caught.",
    async run(receiver) {
      for (const body of ["", "{", "null", "[]", "{}", '{"event":"login"}']) {
        const answer = await receiver.send({ body });
        if (answer.status >= 500) fail(`The body ${JSON.stringify(body)} is answered ${answer.status}.`);
      }
    },
  },
  {
    id: "5.6-error-body",
    level: "SHOULD",
    proves: 'A refusal is JSON: `{"error":"<message>"}`.',
    cause: "The refusal is a text or empty, so the delivery log says nothing of use.",
    async run(receiver) {
      const { json } = await receiver.send({ secret: `whsec_${randomBytes(32).toString("base64")}` });
      const { error } = (json ?? {}) as { error?: unknown };
      if (typeof error !== "string" || error === "") fail(`The refusal is ${JSON.stringify(json)}.`);
    },
  },
  {
    id: "5.6-no-redirect",
    level: "MUST",
    proves: "The answer is no redirect: the hosted API follows none.",
    cause: "The address lacks its last slash, or names http where https is.",
    async run(receiver) {
      const { status, headers } = await receiver.send();
      if (status >= 300 && status < 400) fail(`The receiver sends on to ${headers.location}.`);
    },
  },
  {
    id: "5.6-in-time",
    level: "MUST",
    proves: "An event is answered within 15 seconds, which is when an attempt ends.",
    cause: "The work is done before the answer; put it into a queue.",
    async run(receiver) {
      const started = Date.now();
      await receiver.send();
      const seconds = (Date.now() - started) / 1000;
      if (seconds > ATTEMPT_SECONDS) fail(`The answer took ${Math.round(seconds)} seconds.`);
    },
  },
  {
    id: "5.6-method",
    level: "SHOULD",
    proves: "Only a POST is an event: GET is refused with a 4xx.",
    cause: "The handler does not look at the method.",
    async run(receiver) {
      const { status } = await receiver.http.send({ path: receiver.path });
      if (status < 400 || status >= 500) fail(`GET is answered ${status}.`);
    },
  },
];
