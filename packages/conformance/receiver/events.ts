import { randomUUID } from "node:crypto";
import { fail, NotApplicable, type Rules } from "../check.ts";
import { bodyOf } from "../http-client.ts";
import { eventBody, expectTaken, newSecret, nowSeconds, type Receiver } from "./receiver.ts";

/** Section 5.6: events that come twice, late, or are of another kind; and how a receiver answers. */

const AT_ONCE = 10;
const ATTEMPT_SECONDS = 15;

/** Sends an event whose body has these changes. @throws {Failure} unless it is taken */
const takes = (what: string, changes?: Record<string, unknown>) => async (receiver: Receiver) =>
  expectTaken(await receiver.send({ body: eventBody(changes) }), what);

export const EVENT_KIND_CHECKS: Rules<Receiver> = {
  "5.6-again": {
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
  "5.6-at-once": {
    proves: "The same event several times at once is acknowledged each time.",
    cause: "Whether an event was taken is read and written in separate steps.",
    async run(receiver) {
      const event = { id: `evt_${randomUUID()}`, body: eventBody() };
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => receiver.send(event)));
      for (const answer of answers) expectTaken(answer, "one of ten equal events at once");
    },
  },
  "5.6-order": {
    proves: "Events come in any order: an older one after a newer one is taken.",
    cause: "The receiver keeps the last timestamp and refuses what is before it.",
    async run(receiver) {
      const session_id = randomUUID();
      const at = (seconds: number) => {
        const timestamp = new Date(Date.now() + seconds * 1000).toISOString();
        return eventBody({ timestamp, session_id });
      };
      expectTaken(await receiver.send({ body: at(0) }), "an event");
      const older = await receiver.send({ body: at(-30), timestamp: nowSeconds() - 30 });
      expectTaken(older, "an older event after it");
    },
  },
  "5.6-test-event": {
    proves: "The event `test` is taken.",
    cause: "Its `session_id` is looked for, and not found.",
    run: takes("a test event", { event: "test", session_id: "test" }),
  },
  "5.6-unknown-session": {
    proves: "An event for a session that the receiver does not know is acknowledged.",
    cause: "The answer is a 404, so the event is sent for three days.",
    // Every event of the kit names a session of its own.
    run: takes("an event of an unknown session"),
  },
  "5.6-unknown-type": {
    level: "SHOULD",
    proves: "An event of a type that the receiver does not know is acknowledged.",
    cause: "A `switch` whose default throws.",
    run: takes("an event of a new type", { event: "key.rotated" }),
  },
  "5.6-unknown-fields": {
    proves: "Fields that the receiver does not know are ignored.",
    cause: "The body is validated strictly.",
    run: takes("an event with more fields", { version: 2, more: { a: [] } }),
  },
  "5.6-chunked": {
    level: "SHOULD",
    proves: "A body that comes in chunks, without its length, is taken.",
    cause:
      "As much is read as `Content-Length` says: nothing, where a proxy in front passes the body on as it comes.",
    async run(receiver) {
      const answer = await receiver.send({ chunked: true });
      if (answer.status === 411)
        throw new NotApplicable(
          "The receiver wants the length, which the API sends and a proxy may take away.",
        );
      expectTaken(answer, "an event in two chunks");
    },
  },
  "5.6-malformed": {
    proves: "A signed body that is no event breaks nothing: no 5xx.",
    cause: "The exception of `JSON.parse`, or of a missing field, is not caught.",
    async run(receiver) {
      for (const body of ["", "{", "null", "[]", "{}", '{"event":"login"}']) {
        const answer = await receiver.send({ body });
        if (answer.status >= 500) fail(`The body ${JSON.stringify(body)} is answered ${answer.status}.`);
      }
    },
  },
};

export const ANSWER_CHECKS: Rules<Receiver> = {
  "5.6-error-body": {
    level: "SHOULD",
    proves: 'A refusal is JSON: `{"error":"<message>"}`.',
    cause: "The refusal is a text or empty, so the delivery log says nothing of use.",
    async run(receiver) {
      const answer = await receiver.send({ secret: newSecret() });
      const { error } = bodyOf(answer);
      if (typeof error !== "string" || error === "")
        fail(`The refusal is ${JSON.stringify(answer.json)} instead of {"error":"…"}.`);
    },
  },
  "5.6-no-redirect": {
    proves: "The answer is no redirect: the hosted API follows none.",
    cause: "The address lacks its last slash, or names http where https is.",
    async run(receiver) {
      const { status, headers } = await receiver.send();
      if (status >= 300 && status < 400) fail(`The receiver sends on to ${headers.location}.`);
    },
  },
  "5.6-in-time": {
    proves: "An event is answered within 15 seconds, which is when an attempt ends.",
    cause: "The work is done before the answer; put it into a queue.",
    async run(receiver) {
      const started = Date.now();
      await receiver.send();
      const seconds = (Date.now() - started) / 1000;
      if (seconds > ATTEMPT_SECONDS) fail(`The answer took ${Math.round(seconds)} seconds.`);
    },
  },
  "5.6-method": {
    level: "SHOULD",
    proves: "Only a POST is an event: GET is refused with a 4xx.",
    cause: "The handler does not look at the method.",
    async run(receiver) {
      const { status } = await receiver.http.send({ path: receiver.path });
      if (status < 400 || status >= 500) fail(`GET is answered ${status}.`);
    },
  },
};
