import { isLoopback } from "../addresses.ts";
import { block, fail, type Rules, skip, startsEarly } from "../check.ts";
import {
  expectCloseTo,
  expectEqual,
  expectInteger,
  expectMembers,
  expectStatus,
  expectType,
} from "../expect-status.ts";
import { Wallet } from "../flow/wallet.ts";
import { bodyOf, membersOf } from "../http-client.ts";
import { keyOf, standardSignature, svcSignature } from "../receiver/receiver.ts";
import type { HostedId } from "../texts/hosted.ts";
import {
  type Arrival,
  type HostileSite,
  type Responder,
  respondInTurn,
  withHostileSite,
} from "../wallet/hostile-site.ts";
import type { Api, Body, Domain } from "./api.ts";

/**
 * Section 5.6: an event's contents, its signatures, and the attempts to deliver it. The kit itself receives the events.
 */

type Listener = { site: HostileSite; domain: Domain; patienceSeconds: number };

const LOOKS_EVERY_MS = 100;

export const acceptEvent: Responder = (response) => response.writeHead(204).end();

/**
 * The receiver runs on this machine and gets the events of the listener's domain.
 * @param answer how the receiver responds
 * @throws {NotApplicableError} if the API does not send events to this machine
 */
export function withListener(answer: Responder, run: (api: Api, listener: Listener) => Promise<void>) {
  return async (api: Api): Promise<void> => {
    if (!isLoopback(api.target.origin.hostname))
      skip("The kit listens on this machine, which an API on another machine cannot reach.");
    await withHostileSite({ answer }, async (site) => {
      const webhookUrl = `http://localhost:${site.port}/events`;
      const name = api.newName();
      const registered = await api.askDomain(name, webhookUrl);
      if (registered.status === 400)
        skip("This API sends only to public names. In demo mode it also sends to this machine.");
      const domain = api.domainIn(registered, name, webhookUrl);
      await run(api, { site, domain, patienceSeconds: api.run.patienceSeconds });
    });
  };
}

/**
 * In real time, as the API sends events.
 * @returns whether the condition was met in time
 */
async function until(holds: () => boolean | Promise<boolean>, seconds: number): Promise<boolean> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  }
  return true;
}

/**
 * Waits until this many delivery attempts have arrived, and returns all that have arrived.
 * @throws {CheckFailure} if they do not arrive in time
 */
async function arrivals(
  { site, patienceSeconds }: Listener,
  count: number,
): Promise<[Arrival, ...Arrival[]]> {
  await until(() => site.arrivals.length >= count, patienceSeconds);
  if (site.arrivals.length < count)
    fail(`${site.arrivals.length} of ${count} attempts arrived within ${patienceSeconds} s.`);
  return site.arrivals as [Arrival, ...Arrival[]];
}

/** Returns the session and the event's first arrival. */
async function answered(api: Api, listener: Listener, more: Body = {}) {
  const session = await api.createAuthenticatedSession({ domain: listener.domain.name, ...more });
  const [arrival] = await arrivals(listener, 1);
  return { session, arrival };
}

const headerOf = ({ headers }: Arrival, name: string) => String(headers[name] ?? "");

function expectHeader(arrival: Arrival, name: string, expected: string): void {
  expectEqual(headerOf(arrival, name), expected, name);
}

function expectedSignatures(arrival: Arrival, secret: string) {
  const [id, timestamp] = [headerOf(arrival, "webhook-id"), Number(headerOf(arrival, "webhook-timestamp"))];
  return {
    standard: standardSignature(keyOf(secret), id, timestamp, arrival.text),
    svc: svcSignature(secret, arrival.text),
  };
}

type Delivery = Body & { attempts: Body[] };

async function deliveryOf(api: Api, sessionId: string): Promise<Delivery> {
  const { deliveries } = bodyOf(await api.call("GET", `/deliveries?session_id=${sessionId}`));
  const [delivery] = Array.isArray(deliveries) ? deliveries : [];
  if (!delivery) block("The event is not listed");
  return delivery;
}

/**
 * Causes an event and waits for the API to list an attempt.
 * @throws {CheckFailure} if the API does not list an attempt in time
 */
async function recordedDelivery(api: Api, listener: Listener): Promise<Delivery> {
  const { session } = await answered(api, listener);
  let delivery: Delivery | undefined;
  await until(async () => {
    delivery = await deliveryOf(api, session.id);
    return delivery.attempts.length > 0;
  }, api.run.patienceSeconds);
  if (!delivery?.attempts.length) fail("The list does not show the event's attempts.");
  return delivery;
}

/** Later attempts are accepted. */
const first = (status: number, headers: Record<string, string> = {}) =>
  respondInTurn((response) => void response.writeHead(status, headers).end(), acceptEvent);

function expectSameEvent(one: Arrival, other: Arrival, what: string): void {
  const [first, second] = [one, other].map((request) => headerOf(request, "webhook-id"));
  expectEqual(second, first, `The webhook-id of ${what}`);
  expectEqual(other.text, one.text, `The body of ${what}`);
}

/** For an event that should not arrive. */
const LISTENS_ON_SECONDS = 0.5;

export const EVENT_CHECKS = {
  "5.6-sent": withListener(acceptEvent, async (api, listener) => {
    const { arrival } = await answered(api, listener);
    expectEqual(`${arrival.method} ${arrival.path}`, "POST /events", "The event's request");
    expectType(arrival, "application/json", "the event");
    if (await until(() => listener.site.arrivals.length > 1, LISTENS_ON_SECONDS))
      fail("The event arrives again, although the first attempt was acknowledged.");
  }),
  "5.6-sent-body": withListener(acceptEvent, async (api, listener) => {
    const { session, arrival } = await answered(api, listener, { mode: "register" });
    const { wallet, challenge, id } = session;
    const body = bodyOf(arrival);
    const data = membersOf(body.data);
    expectMembers(body, { event: "register", session_id: id });
    const sentSeconds = Date.parse(String(body.timestamp)) / 1000;
    expectCloseTo(sentSeconds, arrival.at / 1000, 60, "`timestamp`, in Unix seconds,");
    const proved = { public_key: wallet.publicKey, signature: wallet.sign(challenge), challenge };
    expectMembers(data, proved, (name) => `\`data.${name}\``);
    expectInteger(data.signed_at, "`data.signed_at`");
    expectEqual(membersOf(data.device_info).device_id, "conformance", "`data.device_info.device_id`");
  }),
  "5.6-sent-standard": withListener(acceptEvent, async (api, listener) => {
    const { arrival } = await answered(api, listener);
    const { standard } = expectedSignatures(arrival, listener.domain.secret);
    expectHeader(arrival, "webhook-signature", standard);
    expectCloseTo(Number(headerOf(arrival, "webhook-timestamp")), arrival.at / 1000, 60, "webhook-timestamp");
    if (headerOf(arrival, "webhook-id") === "") fail("The event has no webhook-id.");
  }),
  "5.6-sent-svc": withListener(acceptEvent, async (api, listener) => {
    const { arrival } = await answered(api, listener);
    const { svc } = expectedSignatures(arrival, listener.domain.secret);
    expectHeader(arrival, "x-svc-signature", svc);
  }),
  "5.6-sent-rotated": withListener(acceptEvent, async (api, listener) => {
    const { id, secret } = listener.domain;
    const rotated = await api.call("POST", `/domains/${id}/rotate-secret`);
    expectStatus(rotated, 200, "a rotation");
    const { arrival } = await answered(api, listener);
    const now = expectedSignatures(arrival, String(bodyOf(rotated).webhook_secret));
    const both = `${now.standard} ${expectedSignatures(arrival, secret).standard}`;
    expectEqual(headerOf(arrival, "webhook-signature"), both, "webhook-signature, new secret first,");
    expectHeader(arrival, "x-svc-signature", now.svc);
  }),
  "5.6-sent-test": withListener(acceptEvent, async (api, listener) => {
    const { id, secret } = listener.domain;
    expectStatus(await api.call("POST", `/domains/${id}/test-event`), 202, "a request for a test event");
    const [arrival] = await arrivals(listener, 1);
    expectMembers(bodyOf(arrival), { event: "test", session_id: "test" });
    const { standard, svc } = expectedSignatures(arrival, secret);
    expectHeader(arrival, "webhook-signature", standard);
    expectHeader(arrival, "x-svc-signature", svc);
  }),
  "5.6-sent-for-success": withListener(acceptEvent, async (api, listener) => {
    const session = await api.session({ domain: listener.domain.name });
    await api.respond(session, new Wallet(), { signature: new Wallet().sign(session.challenge) });
    await api.respond({ ...session, challenge: `${session.challenge}x` });
    // An event that was queued earlier would have arrived before this one.
    const { session: next } = await answered(api, listener);
    await until(() => listener.site.arrivals.length > 1, LISTENS_ON_SECONDS);
    const others = listener.site.arrivals.filter((other) => bodyOf(other).session_id !== next.id);
    if (others.length > 0) fail(`A refused response sends the event ${others[0]?.text.slice(0, 100)}.`);
  }),
  "5.6-sent-again": startsEarly(
    withListener(first(500), async (api, listener) => {
      const { session } = await answered(api, listener);
      const [one, two] = await arrivals(listener, 2);
      if (!two) fail("The event is not sent again after a 500.");
      expectSameEvent(one, two, "the second attempt");
      const [before, after] = [one, two].map((request) => Number(headerOf(request, "webhook-timestamp")));
      const what = "The time from the first attempt's webhook-timestamp to the second's";
      expectCloseTo(Number(after) - Number(before), (two.at - one.at) / 1000, 3, what);
      const isDelivered = async () => (await deliveryOf(api, session.id)).status === "delivered";
      if (!(await until(isDelivered, api.run.patienceSeconds)))
        fail("After a 204 the event is not delivered.");
    }),
  ),
  "5.6-sent-redirect": withListener(
    (response, { path }) => {
      if (path === "/events") response.writeHead(307, { Location: "/stolen" }).end();
      else response.writeHead(204).end();
    },
    async (api, listener) => {
      const { status } = await recordedDelivery(api, listener);
      if (listener.site.arrivals.some(({ path }) => path !== "/events")) fail("The redirect is followed.");
      expectEqual(status, "pending", "After a redirect the event's status");
    },
  ),
  "5.6-sent-any-2xx": withListener(
    (response) => response.writeHead(202).end("queued"),
    async (api, listener) => {
      const { status, attempts } = await recordedDelivery(api, listener);
      expectEqual(status, "delivered", "After a 202 the event's status");
      expectEqual(attempts[0]?.status, 202, "The attempt's status");
    },
  ),
  "5.6-sent-410": withListener(first(410), async (api, listener) => {
    await recordedDelivery(api, listener);
    const { id, webhookUrl: webhook_url } = listener.domain;
    const disabledAt = async () => bodyOf(await api.call("GET", `/domains/${id}`)).disabled_at;
    if (!(await until(async () => typeof (await disabledAt()) === "string", api.run.patienceSeconds)))
      fail("The domain is not disabled.");
    await api.call("PATCH", `/domains/${id}`, { webhook_url });
    if ((await disabledAt()) !== null) fail("The domain stays disabled after its URL was set again.");
  }),
  "5.6-sent-later": withListener(first(503, { "Retry-After": "600" }), async (api, listener) => {
    const { next_attempt_at: next, attempts } = await recordedDelivery(api, listener);
    const seconds = (Date.parse(String(next)) - Date.parse(String(attempts[0]?.at))) / 1000;
    if (!(seconds > 540 && seconds < 720))
      fail(`With \`Retry-After: 600\` the next attempt is in ${seconds} s.`);
  }),
  "5.6-resent": withListener(acceptEvent, async (api, listener) => {
    const { id } = await recordedDelivery(api, listener);
    expectStatus(await api.call("POST", `/deliveries/${id}/resend`), 202, "a resend of an event");
    const [one, two = one] = await arrivals(listener, 2);
    expectSameEvent(one, two, "the event");
    expectStatus(await api.call("POST", "/deliveries/unknown/resend"), 404, "a resend of an unknown event");
  }),
  "5.6-listed": withListener(acceptEvent, async (api, listener) => {
    const { id, name: domain } = listener.domain;
    const older = (await api.createAuthenticatedSession({ domain })).id;
    const newer = (await api.createAuthenticatedSession({ domain })).id;
    await arrivals(listener, 2);
    const list = async (query: string) => {
      const { deliveries } = bodyOf(await api.call("GET", `/deliveries?${query}`));
      return (Array.isArray(deliveries) ? (deliveries as Body[]) : []).map((delivery) => delivery.session_id);
    };
    const all = await list(`domain_id=${id}`);
    expectEqual(all.join(), `${newer},${older}`, "The domain's list, newest first,");
    const one = await list(`session_id=${older}`);
    expectEqual(one.join(), older, "The list of one session");
    expectStatus(await api.call("GET", "/deliveries?status=lost"), 400, "a list with an unknown status");
  }),
} satisfies Rules<Api, HostedId>;
