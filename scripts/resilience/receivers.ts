import { setTimeout as sleep } from "node:timers/promises";
import { type Received, type Receiver, startReceiver } from "#scripts/kit/receiver.ts";
import { sql } from "#scripts/kit/sql.ts";
import { freePort } from "#scripts/kit/start-server.ts";
import { quantile } from "../bench/measure.ts";
import { Client } from "../kit/client.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import type { Scenario, Stage } from "./stage.ts";
import { newTenant, registerDomain, type Tenant } from "./tenant.ts";
import { count, openWorld, type World } from "./world.ts";

const WAITING = 1_000;
const OF_EACH_BAD = 20;
const OUTAGE_MINUTES = 1;
const HEALTHY_EVERY_MS = 200;
const P95_MS = 1_000;

export const receivers: Scenario = {
  name: "receivers",
  title: `receivers that hang, stream for ever, redirect, and one that is down with ${WAITING} events waiting`,
  async play(stage) {
    const world = await openWorld(stage);
    const app = await world.start();
    const receiver = await startReceiver();
    stage.onEnd(() => receiver.close());
    receiver.on("/hangs", () => {});
    receiver.on("/streams", (response) => {
      const timer = setInterval(() => response.write("x".repeat(1000)), 10);
      response.on("close", () => clearInterval(timer));
    });
    receiver.on("/redirects", (response) => response.writeHead(302, { Location: "/healthy" }).end());
    const healthy = await newTenant(app.url, world.databaseUrl, `${receiver.url}/healthy`);
    const at = async (url: string): Promise<Tenant> => {
      const { id, domain } = await registerDomain(app.url, healthy.headers, url);
      return { ...healthy, domainId: id, domain };
    };
    const bad = await Promise.all(
      ["/hangs", "/streams", "/redirects"].map((path) => at(receiver.url + path)),
    );
    const downPort = await freePort();
    const down = await at(`http://127.0.0.1:${downPort}/down`);

    for (const tenant of bad) await sendEvents(app.url, tenant, OF_EACH_BAD);
    const began = performance.now();
    await sendEvents(app.url, down, WAITING);
    const outageMs = (stage.minutes ?? OUTAGE_MINUTES) * 60_000;
    const times = await sendSteadily(app.url, healthy, receiver, outageMs);
    stage.check(
      `the healthy one's events arrive, p95 below ${P95_MS} ms`,
      times.every(Number.isFinite) && quantile(times, 0.95) < P95_MS,
      `${times.length}, p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`,
    );
    const followed = receiver.received.filter(({ path }) => path === "/healthy").length - times.length;
    stage.check("no redirect was followed", followed === 0, `${followed}`);

    const back = await startReceiver("127.0.0.1", downPort);
    stage.onEnd(() => back.close());
    for (const path of ["/hangs", "/streams", "/redirects"])
      receiver.on(path, (response) => response.writeHead(204).end());
    stage.say(`down for ${seconds(performance.now() - began)}`);
    await checkDelivered(stage, world, down, { expected: WAITING, timeoutMs: outageMs + 90_000 });
    for (const tenant of bad) {
      await checkDelivered(stage, world, tenant, { expected: OF_EACH_BAD, timeoutMs: outageMs + 180_000 });
    }
    stage.check(
      "each of the thousand has arrived",
      new Set(idsOf(back.received)).size === WAITING,
      `${back.received.length} requests`,
    );
  },
};

async function sendEvents(origin: string, { headers, domainId }: Tenant, total: number): Promise<void> {
  const session = new Client(origin);
  let left = total;
  const loop = async () => {
    while (left-- > 0)
      await session.expect(202, `/sandbox/v1/domains/${domainId}/test-event`, { json: {}, headers });
  };
  await Promise.all(Array.from({ length: 8 }, loop));
}

/** Sends an event now and then; returns how long each took to arrive, sorted. */
async function sendSteadily(
  origin: string,
  tenant: Tenant,
  receiver: Receiver,
  forMs: number,
): Promise<number[]> {
  const sent = new Map<string, number>();
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const at = Date.now();
    const { body } = await new Client(origin).expect(
      202,
      `/sandbox/v1/domains/${tenant.domainId}/test-event`,
      {
        json: {},
        headers: tenant.headers,
      },
    );
    sent.set(JSON.parse(body).id, at);
    await sleep(HEALTHY_EVERY_MS);
  }
  await sleep(5_000);
  const arrived = new Map(receiver.received.map((item) => [item.headers["webhook-id"], item.at]));
  return [...sent]
    .map(([id, at]) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - at)
    .sort((a, b) => a - b);
}

async function checkDelivered(
  stage: Stage,
  { databaseUrl }: World,
  { domainId }: Tenant,
  { expected, timeoutMs }: { expected: number; timeoutMs: number },
): Promise<void> {
  const delivered = () =>
    count(databaseUrl, "SELECT count(*) FROM webhook_event WHERE domain_id = $1 AND status = 'delivered'", [
      domainId,
    ]);
  const all = await waitFor(async () => (await delivered()) === expected, timeoutMs);
  const url = await urlOf(databaseUrl, domainId);
  stage.check(
    `all that waited for ${new URL(url).pathname} is delivered`,
    all !== null,
    `${await delivered()} of ${expected}, ${seconds(all?.ms ?? null)} after it was looked at`,
  );
}

async function urlOf(databaseUrl: string, domainId: string): Promise<string> {
  const [row] = await sql<{ webhook_url: string }>(
    databaseUrl,
    "SELECT webhook_url FROM domain WHERE id = $1",
    [domainId],
  );
  return row?.webhook_url ?? "";
}

function idsOf(received: readonly Received[]): string[] {
  return received.map(({ headers }) => headers["webhook-id"] ?? "");
}
