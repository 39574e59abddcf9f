import { fail, type Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type Arrival, inTurn } from "../wallet/hostile-site.ts";
import { type Api, type Body, bodyOf } from "./api.ts";
import {
  answered,
  arrivals,
  deliveryOf,
  headerOf,
  listening,
  noted,
  taken,
  until,
} from "./event-listener.ts";

/** Section 5.6: how often an event is sent, and when that ends. */

/** Answers the first attempt with a status, and takes the next. */
const first = (status: number, headers: Record<string, string> = {}) =>
  inTurn((response) => void response.writeHead(status, headers).end(), taken);

/** @throws {Failure} unless an attempt has the id and the bytes of the one before */
function expectSameEvent(one: Arrival, other: Arrival, what: string): void {
  if (headerOf(one, "webhook-id") !== headerOf(other, "webhook-id")) fail(`${what} has another webhook-id.`);
  if (one.text !== other.text) fail(`${what} has other bytes.`);
}

export const EVENT_ATTEMPT_CHECKS: Rules<Api> = {
  "5.6-sent-again": {
    proves:
      "After a 500 the event is sent again: the same `webhook-id`, the same bytes, a timestamp of its own.",
    cause: "The first failure ends it, or the event is written anew for every attempt.",
    waits: true,
    run: listening(first(500), async (api, listener) => {
      const { session } = await answered(api, listener);
      const [one, two] = await arrivals(listener, 2);
      if (!two) fail("It is not sent again.");
      expectSameEvent(one, two, "The second");
      const [before, after] = [one, two].map((each) => Number(headerOf(each, "webhook-timestamp")));
      const apart = Math.abs(Number(after) - Number(before) - (two.at - one.at) / 1000);
      if (!(apart < 3)) fail(`Their timestamps are ${before} and ${after}.`);
      const isDelivered = async () => (await deliveryOf(api, session.id)).status === "delivered";
      if (!(await until(isDelivered, api.patienceSeconds)))
        fail("After a 204 it does not count as delivered.");
    }),
  },
  "5.6-sent-redirect": {
    proves: "A redirect is a failure, and is not followed.",
    cause: "The HTTP client follows redirects by default, into whatever network it stands in.",
    run: listening(
      (response, { path }) => {
        if (path === "/events") response.writeHead(307, { Location: "/stolen" }).end();
        else response.writeHead(204).end();
      },
      async (api, listener) => {
        const { status } = await noted(api, listener);
        if (listener.site.arrivals.some(({ path }) => path !== "/events")) fail("The redirect is followed.");
        if (status !== "pending") fail(`After a redirect it counts as ${status}.`);
      },
    ),
  },
  "5.6-sent-any-2xx": {
    proves: "Any 2xx is success: it is noted as delivered, and not sent again.",
    cause: "Only 200 counts, so that a 202 is sent for three days.",
    run: listening(
      (response) => response.writeHead(202).end("queued"),
      async (api, listener) => {
        const { status, attempts } = await noted(api, listener);
        if (status !== "delivered") fail(`After a 202 it counts as ${status}.`);
        if (attempts[0]?.status !== 202) fail(`The attempt is listed with ${attempts[0]?.status}.`);
      },
    ),
  },
  "5.6-sent-410": {
    proves: "A 410 disables the endpoint until its URL is set again.",
    cause: "A 410 counts as any failure, and a receiver that is gone is called for days.",
    run: listening(first(410), async (api, listener) => {
      await noted(api, listener);
      const { id, webhookUrl: webhook_url } = listener.domain;
      const disabledAt = async () => bodyOf(await api.call("GET", `/domains/${id}`)).disabled_at;
      if (!(await until(async () => typeof (await disabledAt()) === "string", api.patienceSeconds)))
        fail("The domain is not disabled.");
      await api.call("PATCH", `/domains/${id}`, { webhook_url });
      if ((await disabledAt()) !== null) fail("It stays disabled after its URL was set again.");
    }),
  },
  "5.6-sent-later": {
    proves: "`Retry-After` is honoured: the next attempt is planned for then.",
    cause: "The schedule knows its own pauses alone.",
    run: listening(first(503, { "Retry-After": "600" }), async (api, listener) => {
      const { next_attempt_at: next, attempts } = await noted(api, listener);
      const seconds = (Date.parse(String(next)) - Date.parse(String(attempts[0]?.at))) / 1000;
      if (!(seconds > 540 && seconds < 720))
        fail(`Asked for 600 seconds, it plans the next after ${seconds}.`);
    }),
  },
  "5.6-resent": {
    proves: "An event that is sent again by hand has the same `webhook-id` and the same bytes.",
    cause: "A new event is made, which receivers take a second time.",
    run: listening(taken, async (api, listener) => {
      const { id } = await noted(api, listener);
      expectStatus(await api.call("POST", `/deliveries/${id}/resend`), 202, "an event once more");
      const [one, two = one] = await arrivals(listener, 2);
      expectSameEvent(one, two, "It");
      expectStatus(await api.call("POST", "/deliveries/unknown/resend"), 404, "an unknown event");
    }),
  },
  "5.6-listed": {
    proves: "`GET /deliveries` lists events newest first, and of one session or domain alone where asked.",
    cause: "A filter is ignored, or the order is left to the database.",
    run: listening(taken, async (api, listener) => {
      const { id, name: domain } = listener.domain;
      const older = (await api.authenticated({ domain })).id;
      const newer = (await api.authenticated({ domain })).id;
      await arrivals(listener, 2);
      const list = async (query: string) => {
        const { deliveries } = bodyOf(await api.call("GET", `/deliveries?${query}`));
        return (Array.isArray(deliveries) ? (deliveries as Body[]) : []).map((each) => each.session_id);
      };
      const all = await list(`domain_id=${id}`);
      if (all.join() !== `${newer},${older}`)
        fail(`The domain's list has the sessions ${all} instead of ${newer},${older}, newest first.`);
      const one = await list(`session_id=${older}`);
      if (one.join() !== older) fail(`The list of one session has ${one} instead of ${older} alone.`);
      expectStatus(await api.call("GET", "/deliveries?status=lost"), 400, "an unknown status");
    }),
  },
};
