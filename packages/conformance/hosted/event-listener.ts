import { isLoopback } from "../addresses.ts";
import { block, fail, skip } from "../check.ts";
import { refusalOf } from "../expect-status.ts";
import { bodyOf } from "../http-client.ts";
import { keyOf, standardSignature, svcSignature } from "../receiver/receiver.ts";
import { type Answering, type Arrival, type HostileSite, withHostileSite } from "../wallet/hostile-site.ts";
import type { Api, Body, Domain } from "./api.ts";

export type Listener = { site: HostileSite; domain: Domain; patienceSeconds: number };

const LOOKS_EVERY_MS = 100;

export const taken: Answering = (response) => response.writeHead(204).end();

/**
 * Makes a check that has a receiver on this machine, and a domain whose events go there.
 * @param answer how the receiver answers
 * @throws {NotApplicable} if the API does not send to this machine
 */
export function listening(answer: Answering, run: (api: Api, listener: Listener) => Promise<void>) {
  return async (api: Api): Promise<void> => {
    if (!isLoopback(api.target.origin.hostname))
      skip("The kit listens on this machine, which an API elsewhere does not reach.");
    await withHostileSite({ answer }, async (site) => {
      const webhookUrl = `http://localhost:${site.port}/events`;
      const name = api.newName();
      const registered = await api.askDomain(name, webhookUrl);
      if (registered.status === 400)
        skip("This API sends only to public names. In demo mode it also sends to this machine.");
      if (registered.status !== 201) block(`A correct domain is refused: ${refusalOf(registered)}`);
      const body = bodyOf(registered);
      const domain = { id: String(body.id), name, secret: String(body.webhook_secret), webhookUrl, body };
      await run(api, { site, domain, patienceSeconds: api.run.patienceSeconds });
    });
  };
}

/**
 * Waits in real time for a condition, because the API uses its own clock.
 * @returns whether the condition was met in time
 */
export async function until(holds: () => boolean | Promise<boolean>, seconds: number): Promise<boolean> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  }
  return true;
}

/** The attempts that arrived, once there are this many. @throws {Failure} if they do not come */
export async function arrivals(
  { site, patienceSeconds }: Listener,
  count: number,
): Promise<[Arrival, ...Arrival[]]> {
  await until(() => site.arrivals.length >= count, patienceSeconds);
  if (site.arrivals.length < count)
    fail(`${site.arrivals.length} of ${count} attempts arrived within ${patienceSeconds} s.`);
  return site.arrivals as [Arrival, ...Arrival[]];
}

/** A session of the listener's domain that a wallet has answered, and its event. */
export async function answered(api: Api, listener: Listener, more: Body = {}) {
  const session = await api.authenticated({ domain: listener.domain.name, ...more });
  const [arrival] = await arrivals(listener, 1);
  return { session, arrival };
}

export const headerOf = ({ headers }: Arrival, name: string) => String(headers[name] ?? "");

export function expectedSignatures(arrival: Arrival, secret: string) {
  const [id, timestamp] = [headerOf(arrival, "webhook-id"), Number(headerOf(arrival, "webhook-timestamp"))];
  return {
    standard: standardSignature(keyOf(secret), id, timestamp, arrival.text),
    svc: svcSignature(secret, arrival.text),
  };
}

type Delivery = Body & { attempts: Body[] };

export async function deliveryOf(api: Api, sessionId: string): Promise<Delivery> {
  const { deliveries } = bodyOf(await api.call("GET", `/deliveries?session_id=${sessionId}`));
  const [delivery] = Array.isArray(deliveries) ? deliveries : [];
  if (!delivery) block("The event is not listed.");
  return delivery;
}

/** Sends an event, and waits until the API has recorded an attempt. @throws {Failure} if it does not */
export async function noted(api: Api, listener: Listener): Promise<Delivery> {
  const { session } = await answered(api, listener);
  let delivery: Delivery | undefined;
  await until(async () => {
    delivery = await deliveryOf(api, session.id);
    return delivery.attempts.length > 0;
  }, api.run.patienceSeconds);
  if (!delivery?.attempts.length) fail("The list does not show its attempts.");
  return delivery;
}
