import { randomUUID } from "node:crypto";
import { fail, type Rules, skip } from "../check.ts";
import { bodyOf } from "../http-client.ts";
import type { ReceiverId } from "../texts/receiver.ts";
import { eventBody, expectTaken, newSecret, nowSeconds, type Receiver } from "./receiver.ts";

/** Section 5.6: events that arrive twice, late, or have another type, and the answers of a receiver. */

const AT_ONCE = 10;
const ATTEMPT_SECONDS = 15;

const takes = (what: string, changes?: Record<string, unknown>) => async (receiver: Receiver) =>
  expectTaken(await receiver.send({ body: eventBody(changes) }), what);

export const EVENT_KIND_CHECKS = {
  async "5.6-again"(receiver) {
    const id = `evt_${randomUUID()}`;
    const body = eventBody();
    expectTaken(await receiver.send({ id, body }), "an event");
    expectTaken(await receiver.send({ id, body }), "the same event again");
    const later = await receiver.send({ id, body, timestamp: nowSeconds() + 2 });
    expectTaken(later, "the same event at a later attempt");
  },
  async "5.6-at-once"(receiver) {
    const event = { id: `evt_${randomUUID()}`, body: eventBody() };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => receiver.send(event)));
    for (const answer of answers) expectTaken(answer, "one of ten simultaneous copies of an event");
  },
  async "5.6-order"(receiver) {
    const session_id = randomUUID();
    const at = (seconds: number) => {
      const timestamp = new Date(Date.now() + seconds * 1000).toISOString();
      return eventBody({ timestamp, session_id });
    };
    expectTaken(await receiver.send({ body: at(0) }), "an event");
    const older = await receiver.send({ body: at(-30), timestamp: nowSeconds() - 30 });
    expectTaken(older, "an older event after it");
  },
  "5.6-test-event": takes("a test event", { event: "test", session_id: "test" }),
  "5.6-unknown-session": takes("an event of an unknown session"),
  "5.6-unknown-type": takes("an event of a new type", { event: "key.rotated" }),
  "5.6-unknown-fields": takes("an event with more fields", { version: 2, more: { a: [] } }),
  async "5.6-chunked"(receiver) {
    const answer = await receiver.send({ chunked: true });
    if (answer.status === 411)
      skip("The receiver wants the length, which the API sends and a proxy may take away.");
    expectTaken(answer, "an event in two chunks");
  },
  async "5.6-malformed"(receiver) {
    for (const body of ["", "{", "null", "[]", "{}", '{"event":"login"}']) {
      const answer = await receiver.send({ body });
      if (answer.status >= 500) fail(`The body ${JSON.stringify(body)} is answered ${answer.status}.`);
    }
  },
} satisfies Rules<Receiver, ReceiverId>;

export const ANSWER_CHECKS = {
  async "5.6-error-body"(receiver) {
    const answer = await receiver.send({ secret: newSecret() });
    const { error } = bodyOf(answer);
    if (typeof error !== "string" || error === "")
      fail(`The refusal is ${JSON.stringify(answer.json)} instead of {"error":"…"}.`);
  },
  async "5.6-no-redirect"(receiver) {
    const { status, headers } = await receiver.send();
    if (status >= 300 && status < 400) fail(`The receiver sends on to ${headers.location}.`);
  },
  async "5.6-in-time"(receiver) {
    const started = Date.now();
    await receiver.send();
    const seconds = (Date.now() - started) / 1000;
    if (seconds > ATTEMPT_SECONDS) fail(`The answer took ${Math.round(seconds)} seconds.`);
  },
  async "5.6-method"(receiver) {
    const { status } = await receiver.http.send({ path: receiver.path });
    if (status < 400 || status >= 500) fail(`GET is answered ${status}.`);
  },
} satisfies Rules<Receiver, ReceiverId>;
