import { randomBytes, randomUUID } from "node:crypto";
import { CannotRun, CheckFailure, checksOf, fail, skip } from "../check.ts";
import { bodyOf, type HttpClient } from "../http-client.ts";
import type { RunOutcome } from "../run-checks.ts";
import { type HttpRun, noServerError, runOverHttp } from "../run-over-http.ts";
import { RECEIVER_TEXTS } from "../texts/receiver.ts";
import {
  type EventChanges,
  eventBody,
  expectEventAccepted,
  expectRefused,
  type FoundFamilies,
  isAccepted,
  keyOf,
  newSecret,
  nowSeconds,
  openReceiver,
  type Receiver,
  standardSignature,
  svcSignature,
} from "./receiver.ts";

/**
 * Section 5.6: which parts of an event are signed, the rules for both kinds of signature, how the receiver handles
 * events that arrive twice, late or with another type, and how it responds.
 */

/** Between an event's timestamp and the receiver's clock, in either direction (Standard Webhooks). */
const TOLERANCE_SECONDS = 5 * 60;

function signedEvent(svcKey: string | Buffer, standardKey: string | Buffer) {
  const event = { body: eventBody(), id: `evt_${randomUUID()}`, timestamp: nowSeconds() };
  const standard = standardSignature(standardKey, event.id, event.timestamp, event.body);
  return { event, svc: svcSignature(svcKey, event.body), standard };
}

/** Null omits a signature. */
const sendSigned = (receiver: Receiver, event: EventChanges, svc: string | null, standard: string | null) =>
  receiver.send({ ...event, headers: { "x-svc-signature": svc, "webhook-signature": standard } });

const ofStandard =
  (run: (receiver: Receiver) => Promise<void>) =>
  async (receiver: Receiver): Promise<void> => {
    if (!(await receiver.families()).standard) skip("The receiver verifies only x-svc-signature.");
    await run(receiver);
  };

const refusesTime = (seconds: number, what: string) =>
  ofStandard(async (receiver) => {
    if (isAccepted(await receiver.sendStandard({ timestamp: nowSeconds() + seconds })))
      fail(`The receiver accepts an event of ${what}.`);
  });

const AT_ONCE = 10;
const ATTEMPT_SECONDS = 15;

const takes = (what: string, changes?: Record<string, unknown>) => async (receiver: Receiver) =>
  expectEventAccepted(await receiver.send({ body: eventBody(changes) }), what);

export const RECEIVER_CHECKS = checksOf<typeof RECEIVER_TEXTS, Receiver>(RECEIVER_TEXTS, {
  async "5.6-taken"(receiver) {
    for (const event of ["login", "register"])
      expectEventAccepted(await receiver.send({ body: eventBody({ event }) }), `a ${event} event`);
  },
  async "5.6-raw-bytes"(receiver) {
    const pretty = JSON.stringify(JSON.parse(eventBody()), null, 2);
    expectEventAccepted(await receiver.send({ body: pretty }), "an event with line breaks");
    const escaped = eventBody().replace("shop.example", "shop\\u002eexample");
    expectEventAccepted(await receiver.send({ body: escaped }), "an event with escaped characters");
  },
  async "5.6-unsigned"(receiver) {
    expectRefused(await sendSigned(receiver, {}, null, null), "an event without a signature");
    expectRefused(await sendSigned(receiver, {}, "", ""), "an event with empty signatures");
  },
  async "5.6-unsigned-kinds"(receiver) {
    for (const event of ["test", "undone"]) {
      const body = eventBody({ event });
      expectRefused(await sendSigned(receiver, { body }, null, null), `a ${event} event without a signature`);
      expectRefused(
        await receiver.send({ body, secret: newSecret() }),
        `a ${event} event with another secret`,
      );
    }
  },
  async "5.6-other-secret"(receiver) {
    expectRefused(await receiver.send({ secret: newSecret() }), "an event signed with another secret");
  },
  async "5.6-changed-body"(receiver) {
    const signedBody = eventBody();
    for (const [what, sent] of [
      ["an event with another type than was signed", signedBody.replace("login", "register")],
      ["an event with a space after the signed body", `${signedBody} `],
      ["an event with a space within the signed body", signedBody.replace(",", ", ")],
    ] as const)
      expectRefused(await receiver.send({ body: sent, signedBody }), what);
  },
  async "5.6-signature-whole"(receiver) {
    const { event, svc, standard } = signedEvent(receiver.secret, keyOf(receiver.secret));
    const half = (text: string) => text.slice(0, 20);
    expectRefused(await sendSigned(receiver, event, half(svc), half(standard)), "half of a signature");
    const longer = await sendSigned(receiver, event, `${svc}00`, `${standard}00`);
    expectRefused(longer, "an event with text after its signature");
  },
  async "5.6-keys"(receiver) {
    const { event, svc, standard } = signedEvent(keyOf(receiver.secret), receiver.secret);
    expectRefused(await sendSigned(receiver, event, svc, standard), "signatures by each other's key");
  },
  "5.6-old": refusesTime(-TOLERANCE_SECONDS - 60, "six minutes ago"),
  "5.6-future": refusesTime(TOLERANCE_SECONDS + 60, "six minutes ahead"),
  async "5.6-late"(receiver) {
    expectEventAccepted(await receiver.send({ timestamp: nowSeconds() - 60 }), "an event of a minute ago");
  },
  "5.6-signed-timestamp": ofStandard(async (receiver) => {
    const signedTimestamp = nowSeconds() - 60;
    const answer = await receiver.sendStandard({ signedTimestamp });
    expectRefused(answer, "an event with another timestamp than was signed");
  }),
  "5.6-signed-id": ofStandard(async (receiver) => {
    const answer = await receiver.sendStandard({ signedId: "evt_other" });
    expectRefused(answer, "an event with another id than was signed");
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
      expectEventAccepted(await receiver.sendStandard({ ...event, headers }), "an event with two signatures");
    }
  }),
  "5.6-other-version": ofStandard(async (receiver) => {
    const { event, standard } = signedEvent(receiver.secret, keyOf(receiver.secret));
    const headers = { "webhook-signature": standard.replace("v1,", "v0,") };
    const answer = await receiver.sendStandard({ ...event, headers });
    expectRefused(answer, "an event with a signature of version v0");
  }),
  async "5.6-svc-signature"(receiver) {
    const { svc, both } = await receiver.families();
    if (!svc) skip("The receiver verifies only webhook-signature.");
    if (both) skip("The receiver requires both families.");
    const headers = { "webhook-signature": null, "webhook-timestamp": null };
    expectEventAccepted(await receiver.send({ headers }), "an event with only x-svc-signature");
  },
  async "5.6-again"(receiver) {
    const id = `evt_${randomUUID()}`;
    const body = eventBody();
    expectEventAccepted(await receiver.send({ id, body }), "an event");
    expectEventAccepted(await receiver.send({ id, body }), "the same event again");
    const later = await receiver.send({ id, body, timestamp: nowSeconds() + 2 });
    expectEventAccepted(later, "the same event at a later attempt");
  },
  async "5.6-at-once"(receiver) {
    const event = { id: `evt_${randomUUID()}`, body: eventBody() };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => receiver.send(event)));
    for (const answer of answers) expectEventAccepted(answer, "one of ten simultaneous copies of an event");
  },
  async "5.6-order"(receiver) {
    const session_id = randomUUID();
    const at = (seconds: number) => {
      const timestamp = new Date(Date.now() + seconds * 1000).toISOString();
      return eventBody({ timestamp, session_id });
    };
    expectEventAccepted(await receiver.send({ body: at(0) }), "an event");
    const older = await receiver.send({ body: at(-30), timestamp: nowSeconds() - 30 });
    expectEventAccepted(older, "an older event after it");
  },
  "5.6-test-event": takes("a test event", { event: "test", session_id: "test" }),
  "5.6-unknown-session": takes("an event of an unknown session"),
  "5.6-unknown-type": takes("an event of a new type", { event: "key.rotated" }),
  "5.6-unknown-fields": takes("an event with more fields", { version: 2, more: { a: [] } }),
  async "5.6-chunked"(receiver) {
    const answer = await receiver.send({ chunked: true });
    if (answer.status === 411)
      skip("The receiver requires Content-Length, which the API sends and a proxy may remove.");
    expectEventAccepted(answer, "an event in two chunks");
  },
  async "5.6-malformed"(receiver) {
    for (const body of ["", "{", "null", "[]", "{}", '{"event":"login"}']) {
      const answer = await receiver.send({ body });
      if (answer.status >= 500) fail(`The body ${JSON.stringify(body)} is answered ${answer.status}.`);
    }
  },
  async "5.6-error-body"(receiver) {
    const answer = await receiver.send({ secret: newSecret() });
    const { error } = bodyOf(answer);
    if (typeof error !== "string" || error === "")
      fail(`The refusal is ${JSON.stringify(answer.json)} instead of {"error":"…"}.`);
  },
  async "5.6-no-redirect"(receiver) {
    const { status, headers } = await receiver.send();
    if (status >= 300 && status < 400) fail(`The receiver redirects to ${headers.location}.`);
  },
  async "5.6-in-time"(receiver) {
    const started = Date.now();
    await receiver.send();
    const seconds = (Date.now() - started) / 1000;
    if (seconds > ATTEMPT_SECONDS) fail(`The response took ${Math.round(seconds)} seconds.`);
  },
  async "5.6-method"(receiver) {
    const { status } = await receiver.http.send({ path: receiver.path });
    if (status < 400 || status >= 500) fail(`GET is answered ${status}.`);
  },
});

export type ReceiverRun = HttpRun<Receiver> & {
  url: URL;
  /** `whsec_…` */
  secret: string;
};

/**
 * Sends events as the hosted API does.
 * @throws {CannotRun} if there is no receiver
 */
export function runReceiver(options: ReceiverRun): Promise<RunOutcome> {
  const { url, secret } = options;
  const run: FoundFamilies = {};
  const path = url.pathname + url.search;
  return runOverHttp(options, {
    ...{ origin: url, checks: RECEIVER_CHECKS, lanes: 4 },
    probe: (client) => probe(client, path, url),
    contextOf: (http) => openReceiver(http, path, secret, run),
  });
}

async function probe(client: HttpClient, path: string, url: URL): Promise<void> {
  try {
    const { status, headers } = await client.send({ method: "POST", path, body: "{}", expectsLimit: true });
    const isLogin = /log-?in|sign-?in|auth/i.test(headers.location ?? "");
    if (isLogin || (status === 401 && headers["content-type"]?.startsWith("text/html")))
      throw new CannotRun(
        `${url.href} does not reach the receiver: the response, ${status}, ${isLogin ? `leads to ${headers.location}` : "is a page"}. The API has no session: let this path pass without one, in a proxy.ts or a middleware too.`,
      );
    if (status === 404) throw new CannotRun(`Nothing receives events at ${url.href} (404). Correct --url.`);
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    throw noServerError(url.href, error, "receiver");
  }
}
