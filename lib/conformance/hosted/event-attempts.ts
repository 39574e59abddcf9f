import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { Answering } from "../wallet/hostile-site.ts";
import { type Api, type Body, bodyOf } from "./api.ts";
import { answered, arrivals, deliveryOf, headerOf, taken, until, withListener } from "./event-listener.ts";

/** Section 5.6: how often an event is sent, and when that ends. */

/** Answers the first attempt with a status, and takes the next. */
const first =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (response, _arrival, index) => {
    response.writeHead(index === 0 ? status : 204, index === 0 ? headers : {}).end();
  };

/** Waits until the API has noted an attempt. @throws {Failure} where it does not */
async function noted(api: Api, sessionId: string, count = 1): Promise<Body & { attempts: Body[] }> {
  await until(async () => (await deliveryOf(api, sessionId)).attempts.length >= count, api.patienceSeconds);
  const delivery = await deliveryOf(api, sessionId);
  if (delivery.attempts.length < count) fail(`Of its attempts ${delivery.attempts.length} are listed.`);
  return delivery;
}

export const EVENT_ATTEMPT_CHECKS: readonly Rule<Api>[] = [
  {
    id: "5.6-sent-again",
    proves:
      "After a 500 the event is sent again: the same `webhook-id`, the same bytes, a timestamp of its own.",
    cause: "The first failure ends it, or the event is written anew for every attempt.",
    waits: true,
    async run(api) {
      await withListener(api, first(500), async (listener) => {
        const { session } = await answered(api, listener);
        const [one, two] = await arrivals(listener, 2);
        if (!two) fail("It is not sent again.");
        if (headerOf(one, "webhook-id") !== headerOf(two, "webhook-id"))
          fail("The second has another webhook-id.");
        if (one.text !== two.text) fail("The second has other bytes.");
        const [before, after] = [one, two].map((each) => Number(headerOf(each, "webhook-timestamp")));
        const apart = Math.abs(Number(after) - Number(before) - (two.at - one.at) / 1000);
        if (!(apart < 3)) fail(`Their timestamps are ${before} and ${after}.`);
        if (
          !(await until(
            async () => (await deliveryOf(api, session.id)).status === "delivered",
            api.patienceSeconds,
          ))
        )
          fail("After a 204 it does not count as delivered.");
      });
    },
  },
  {
    id: "5.6-sent-redirect",
    proves: "A redirect is a failure, and is not followed.",
    cause: "The HTTP client follows redirects by default, into whatever network it stands in.",
    async run(api) {
      const elsewhere: Answering = (response, { path }) => {
        if (path === "/events") response.writeHead(307, { Location: "/stolen" }).end();
        else response.writeHead(204).end();
      };
      await withListener(api, elsewhere, async (listener) => {
        const { session } = await answered(api, listener);
        const delivery = await noted(api, session.id);
        if (listener.site.arrivals.some(({ path }) => path !== "/events")) fail("The redirect is followed.");
        if (delivery.status !== "pending") fail(`After a redirect it counts as ${delivery.status}.`);
      });
    },
  },
  {
    id: "5.6-sent-any-2xx",
    proves: "Any 2xx is success: it is noted as delivered, and not sent again.",
    cause: "Only 200 counts, so that a 202 is sent for three days.",
    async run(api) {
      const accepted: Answering = (response) => response.writeHead(202).end("queued");
      await withListener(api, accepted, async (listener) => {
        const { session } = await answered(api, listener);
        const { status, attempts } = await noted(api, session.id);
        if (status !== "delivered") fail(`After a 202 it counts as ${status}.`);
        if (attempts[0]?.status !== 202) fail(`The attempt is listed with ${attempts[0]?.status}.`);
      });
    },
  },
  {
    id: "5.6-sent-410",
    proves: "A 410 disables the endpoint until its URL is set again.",
    cause: "A 410 counts as any failure, and a receiver that is gone is called for days.",
    async run(api) {
      await withListener(api, first(410), async (listener) => {
        const { id } = listener.domain;
        const { session } = await answered(api, listener);
        await noted(api, session.id);
        const read = async () => bodyOf(await api.call("GET", `/domains/${id}`)).disabled_at;
        if (!(await until(async () => typeof (await read()) === "string", api.patienceSeconds)))
          fail("The domain is not disabled.");
        await api.call("PATCH", `/domains/${id}`, { webhook_url: listener.domain.webhookUrl });
        if ((await read()) !== null) fail("It stays disabled after its URL was set again.");
      });
    },
  },
  {
    id: "5.6-sent-later",
    proves: "`Retry-After` is honoured: the next attempt is planned for then.",
    cause: "The schedule knows its own pauses alone.",
    async run(api) {
      await withListener(api, first(503, { "Retry-After": "600" }), async (listener) => {
        const { session } = await answered(api, listener);
        const { next_attempt_at: next, attempts } = await noted(api, session.id);
        const seconds = (Date.parse(String(next)) - Date.parse(String(attempts[0]?.at))) / 1000;
        if (!(seconds > 540 && seconds < 720))
          fail(`Asked for 600 seconds, it plans the next after ${seconds}.`);
      });
    },
  },
  {
    id: "5.6-resent",
    proves: "An event that is sent again by hand has the same `webhook-id` and the same bytes.",
    cause: "A new event is made, which receivers take a second time.",
    async run(api) {
      await withListener(api, taken, async (listener) => {
        const { session } = await answered(api, listener);
        const { id } = await noted(api, session.id);
        expectStatus(await api.call("POST", `/deliveries/${id}/resend`), 202, "an event once more");
        const [one, two] = await arrivals(listener, 2);
        if (headerOf(one, "webhook-id") !== headerOf(two ?? one, "webhook-id"))
          fail("It has another webhook-id.");
        if (one.text !== two?.text) fail("It has other bytes.");
        expectStatus(await api.call("POST", "/deliveries/unknown/resend"), 404, "an unknown event");
      });
    },
  },
  {
    id: "5.6-listed",
    proves: "`GET /deliveries` lists events newest first, and of one session or domain alone where asked.",
    cause: "A filter is ignored, or the order is left to the database.",
    async run(api) {
      await withListener(api, taken, async (listener) => {
        const made: string[] = [];
        for (let count = 0; count < 2; count++) {
          made.unshift((await api.authenticated({ domain: listener.domain.name })).id);
        }
        await arrivals(listener, 2);
        const list = async (query: string) => {
          const { deliveries } = bodyOf(await api.call("GET", `/deliveries?${query}`));
          return (Array.isArray(deliveries) ? (deliveries as Body[]) : []).map(({ session_id: id }) => id);
        };
        const all = await list(`domain_id=${listener.domain.id}`);
        if (all.join() !== made.join())
          fail(`The domain's list has the sessions ${all} instead of ${made}, newest first.`);
        const one = await list(`session_id=${made[1]}`);
        if (one.join() !== made[1]) fail(`The list of one session has ${one} instead of ${made[1]} alone.`);
        expectStatus(await api.call("GET", "/deliveries?status=lost"), 400, "an unknown status");
      });
    },
  },
];
