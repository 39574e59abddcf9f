import { fail, type Rules, waits } from "../check.ts";
import { expectEqual, expectMembers, expectStatus } from "../expect-status.ts";
import { bodyOf, membersOf } from "../http-client.ts";
import { Wallet } from "../server/wallet.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Arrival, inTurn } from "../wallet/hostile-site.ts";
import type { Api, Body } from "./api.ts";
import * as events from "./event-listener.ts";

/**
 * Section 5.6: the contents of an event, its signatures, and its attempts. These checks use the kit's own receiver.
 */

/** How long to listen for an event that should not come. */
const LISTENS_ON_SECONDS = 0.5;

export const EVENT_CHECKS = {
  "5.6-sent": events.listening(events.taken, async (api, listener) => {
    const { arrival } = await events.answered(api, listener);
    if (arrival.method !== "POST" || arrival.path !== "/events")
      fail(`${arrival.method} ${arrival.path} arrives.`);
    if (!/^application\/json\b/.test(events.headerOf(arrival, "content-type")))
      fail("It is not application/json.");
    if (await events.until(() => listener.site.arrivals.length > 1, LISTENS_ON_SECONDS))
      fail("It arrives twice, though the first was taken.");
  }),
  "5.6-sent-body": events.listening(events.taken, async (api, listener) => {
    const { session, arrival } = await events.answered(api, listener, { mode: "register" });
    const { wallet, challenge, id } = session;
    const body = bodyOf(arrival);
    const data = membersOf(body.data);
    expectMembers(body, { event: "register", session_id: id });
    if (!(Math.abs(Date.parse(String(body.timestamp)) - arrival.at) < 60_000))
      fail(`\`timestamp\` is ${body.timestamp}.`);
    const proved = { public_key: wallet.publicKey, signature: wallet.sign(challenge), challenge };
    expectMembers(data, proved, (name) => `\`data.${name}\``);
    if (!Number.isInteger(data.signed_at))
      fail(`\`data.signed_at\` is ${JSON.stringify(data.signed_at)} instead of what the wallet said.`);
    expectEqual(membersOf(data.device_info).device_id, "conformance", "`data.device_info.device_id`");
  }),
  "5.6-sent-standard": events.listening(events.taken, async (api, listener) => {
    const { arrival } = await events.answered(api, listener);
    const { standard } = events.expectedSignatures(arrival, listener.domain.secret);
    expectEqual(events.headerOf(arrival, "webhook-signature"), standard, "webhook-signature");
    const timestamp = events.headerOf(arrival, "webhook-timestamp");
    if (!(Math.abs(arrival.at / 1000 - Number(timestamp)) < 60))
      fail(`webhook-timestamp is ${timestamp} instead of now, in Unix seconds.`);
    if (events.headerOf(arrival, "webhook-id") === "") fail("There is no webhook-id.");
  }),
  "5.6-sent-svc": events.listening(events.taken, async (api, listener) => {
    const { arrival } = await events.answered(api, listener);
    const { svc } = events.expectedSignatures(arrival, listener.domain.secret);
    expectEqual(events.headerOf(arrival, "x-svc-signature"), svc, "x-svc-signature");
  }),
  "5.6-sent-rotated": events.listening(events.taken, async (api, listener) => {
    const { id, secret } = listener.domain;
    const rotated = await api.call("POST", `/domains/${id}/rotate-secret`);
    expectStatus(rotated, 200, "a rotation");
    const { arrival } = await events.answered(api, listener);
    const now = events.expectedSignatures(arrival, String(bodyOf(rotated).webhook_secret));
    const both = `${now.standard} ${events.expectedSignatures(arrival, secret).standard}`;
    expectEqual(events.headerOf(arrival, "webhook-signature"), both, "webhook-signature, new secret first,");
    expectEqual(events.headerOf(arrival, "x-svc-signature"), now.svc, "x-svc-signature");
  }),
  "5.6-sent-test": events.listening(events.taken, async (api, listener) => {
    const { id, secret } = listener.domain;
    expectStatus(await api.call("POST", `/domains/${id}/test-event`), 202, "a test event");
    const [arrival] = await events.arrivals(listener, 1);
    expectMembers(bodyOf(arrival), { event: "test", session_id: "test" });
    const { standard, svc } = events.expectedSignatures(arrival, secret);
    expectEqual(events.headerOf(arrival, "webhook-signature"), standard, "webhook-signature");
    expectEqual(events.headerOf(arrival, "x-svc-signature"), svc, "x-svc-signature");
  }),
  "5.6-sent-for-success": events.listening(events.taken, async (api, listener) => {
    const session = await api.session({ domain: listener.domain.name });
    await api.respond(session, new Wallet(), { signature: new Wallet().sign(session.challenge) });
    await api.respond({ ...session, challenge: `${session.challenge}x` });
    // This answer counts: once its event has come, any event that was queued before it has come too.
    const { session: next } = await events.answered(api, listener);
    await events.until(() => listener.site.arrivals.length > 1, LISTENS_ON_SECONDS);
    const others = listener.site.arrivals.filter((other) => bodyOf(other).session_id !== next.id);
    if (others.length > 0) fail(`A refused answer sends ${others[0]?.text.slice(0, 100)}.`);
  }),
} satisfies Rules<Api, HostedId>;

/** Answers the first attempt with a status, and accepts the next. */
const first = (status: number, headers: Record<string, string> = {}) =>
  inTurn((response) => void response.writeHead(status, headers).end(), events.taken);

function expectSameEvent(one: Arrival, other: Arrival, what: string): void {
  const [first, second] = [one, other].map((each) => events.headerOf(each, "webhook-id"));
  expectEqual(second, first, `The webhook-id of ${what}`);
  expectEqual(other.text, one.text, `The body of ${what}`);
}

export const EVENT_ATTEMPT_CHECKS = {
  "5.6-sent-again": waits(
    events.listening(first(500), async (api, listener) => {
      const { session } = await events.answered(api, listener);
      const [one, two] = await events.arrivals(listener, 2);
      if (!two) fail("It is not sent again.");
      expectSameEvent(one, two, "the second attempt");
      const [before, after] = [one, two].map((each) => Number(events.headerOf(each, "webhook-timestamp")));
      const apart = Math.abs(Number(after) - Number(before) - (two.at - one.at) / 1000);
      if (!(apart < 3)) fail(`Their timestamps are ${before} and ${after}.`);
      const isDelivered = async () => (await events.deliveryOf(api, session.id)).status === "delivered";
      if (!(await events.until(isDelivered, api.run.patienceSeconds)))
        fail("After a 204 it does not count as delivered.");
    }),
  ),
  "5.6-sent-redirect": events.listening(
    (response, { path }) => {
      if (path === "/events") response.writeHead(307, { Location: "/stolen" }).end();
      else response.writeHead(204).end();
    },
    async (api, listener) => {
      const { status } = await events.noted(api, listener);
      if (listener.site.arrivals.some(({ path }) => path !== "/events")) fail("The redirect is followed.");
      if (status !== "pending") fail(`After a redirect it counts as ${status}.`);
    },
  ),
  "5.6-sent-any-2xx": events.listening(
    (response) => response.writeHead(202).end("queued"),
    async (api, listener) => {
      const { status, attempts } = await events.noted(api, listener);
      if (status !== "delivered") fail(`After a 202 it counts as ${status}.`);
      if (attempts[0]?.status !== 202) fail(`The attempt is listed with ${attempts[0]?.status}.`);
    },
  ),
  "5.6-sent-410": events.listening(first(410), async (api, listener) => {
    await events.noted(api, listener);
    const { id, webhookUrl: webhook_url } = listener.domain;
    const disabledAt = async () => bodyOf(await api.call("GET", `/domains/${id}`)).disabled_at;
    if (!(await events.until(async () => typeof (await disabledAt()) === "string", api.run.patienceSeconds)))
      fail("The domain is not disabled.");
    await api.call("PATCH", `/domains/${id}`, { webhook_url });
    if ((await disabledAt()) !== null) fail("It stays disabled after its URL was set again.");
  }),
  "5.6-sent-later": events.listening(first(503, { "Retry-After": "600" }), async (api, listener) => {
    const { next_attempt_at: next, attempts } = await events.noted(api, listener);
    const seconds = (Date.parse(String(next)) - Date.parse(String(attempts[0]?.at))) / 1000;
    if (!(seconds > 540 && seconds < 720)) fail(`Asked for 600 seconds, it plans the next after ${seconds}.`);
  }),
  "5.6-resent": events.listening(events.taken, async (api, listener) => {
    const { id } = await events.noted(api, listener);
    expectStatus(await api.call("POST", `/deliveries/${id}/resend`), 202, "an event once more");
    const [one, two = one] = await events.arrivals(listener, 2);
    expectSameEvent(one, two, "the event");
    expectStatus(await api.call("POST", "/deliveries/unknown/resend"), 404, "an unknown event");
  }),
  "5.6-listed": events.listening(events.taken, async (api, listener) => {
    const { id, name: domain } = listener.domain;
    const older = (await api.authenticated({ domain })).id;
    const newer = (await api.authenticated({ domain })).id;
    await events.arrivals(listener, 2);
    const list = async (query: string) => {
      const { deliveries } = bodyOf(await api.call("GET", `/deliveries?${query}`));
      return (Array.isArray(deliveries) ? (deliveries as Body[]) : []).map((each) => each.session_id);
    };
    const all = await list(`domain_id=${id}`);
    expectEqual(all.join(), `${newer},${older}`, "The domain's list, newest first,");
    const one = await list(`session_id=${older}`);
    expectEqual(one.join(), older, "The list of one session");
    expectStatus(await api.call("GET", "/deliveries?status=lost"), 400, "an unknown status");
  }),
} satisfies Rules<Api, HostedId>;
