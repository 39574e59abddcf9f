import { randomUUID } from "node:crypto";
import { fail, type Rule } from "../check.ts";
import { eventBody, expectTaken, nowSeconds, type Receiver } from "./receiver.ts";

/** Section 5.6: events that come twice, late, or are of another kind. */

const AT_ONCE = 10;

export const EVENT_KIND_CHECKS: readonly Rule<Receiver>[] = [
  {
    id: "5.6-again",
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
    proves: "A signed body that is no event breaks nothing: no 5xx.",
    cause: "The exception of `JSON.parse`, or of a missing field, is not caught.",
    async run(receiver) {
      for (const body of ["", "{", "null", "[]", "{}", '{"event":"login"}']) {
        const answer = await receiver.send({ body });
        if (answer.status >= 500) fail(`The body ${JSON.stringify(body)} is answered ${answer.status}.`);
      }
    },
  },
];
