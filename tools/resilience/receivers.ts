import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../bench/measure.ts";
import { Client } from "../kit/client.ts";
import type { Receiver } from "../kit/receiver.ts";
import { createTenant, type Tenant, trustDomain } from "../kit/run-admin.ts";
import { freePort } from "../kit/start-server.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import type { Scenario } from "./stage.ts";
import { World } from "./world.ts";

const WAITING = 1_000;
const OF_EACH_BAD = 20;
const OUTAGE_MINUTES = 1;
const HEALTHY_EVERY_MS = 200;
const P95_MS = 1_000;
const BAD = ["/hangs", "/streams", "/redirects"];

export const receivers: Scenario = {
  name: "receivers",
  title: `receivers that hang, stream for ever, redirect, and one that is down with ${WAITING} events waiting`,
  async play(stage) {
    const world = await World.open(stage);
    const { databaseUrl } = world;
    await world.start();
    const receiver = await world.startReceiver();
    receiver.on("/hangs", () => {});
    receiver.on("/streams", (response) => {
      const timer = setInterval(() => response.write("x".repeat(1000)), 10);
      response.on("close", () => clearInterval(timer));
    });
    receiver.on("/redirects", (response) => response.writeHead(302, { Location: "/healthy" }).end());
    const healthy = await createTenant(databaseUrl, { mode: "test", webhookUrl: `${receiver.url}/healthy` });
    const at = async (webhookUrl: string): Promise<Tenant> => ({
      ...healthy,
      ...(await trustDomain(databaseUrl, { mode: "test", webhookUrl })),
    });
    const bad = await Promise.all(BAD.map(async (path) => ({ path, tenant: await at(receiver.url + path) })));
    const downPort = await freePort();
    const down = await at(`http://127.0.0.1:${downPort}/down`);

    for (const { tenant } of bad) await sendEvents(world.origin, tenant, OF_EACH_BAD);
    const began = performance.now();
    await sendEvents(world.origin, down, WAITING);
    const outageMs = (stage.options.minutes ?? OUTAGE_MINUTES) * 60_000;
    const times = await sendSteadily(world.origin, healthy, receiver, outageMs);
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(times, share)) as [number, number];
    stage.check(
      `the healthy one's events arrive, p95 below ${P95_MS} ms`,
      times.every(Number.isFinite) && p95 < P95_MS,
      `${times.length}, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
    );
    const followed = receiver.received.filter(({ path }) => path === "/healthy").length - times.length;
    stage.check("no redirect was followed", followed === 0, `${followed}`);

    const back = await world.startReceiver(downPort);
    for (const path of BAD) receiver.on(path, (response) => response.writeHead(204).end());
    stage.say(`down for ${seconds(performance.now() - began)}`);
    await checkDelivered(world, down, { path: "/down", expected: WAITING, timeoutMs: outageMs + 90_000 });
    for (const { path, tenant } of bad) {
      await checkDelivered(world, tenant, { path, expected: OF_EACH_BAD, timeoutMs: outageMs + 180_000 });
    }
    stage.check(
      "each of the thousand has arrived",
      new Set(back.received.map(({ headers }) => headers["webhook-id"])).size === WAITING,
      `${back.received.length} requests`,
    );
  },
};

/** Asks for a test event. Returns its id. */
async function sendEvent(session: Client, { headers, domainId }: Tenant): Promise<string> {
  const path = `/sandbox/v1/domains/${domainId}/test-event`;
  return JSON.parse((await session.expect(202, path, { json: {}, headers })).body).id;
}

async function sendEvents(origin: string, tenant: Tenant, total: number): Promise<void> {
  const session = new Client(origin);
  let left = total;
  const loop = async () => {
    while (left-- > 0) await sendEvent(session, tenant);
  };
  await Promise.all(Array.from({ length: 8 }, loop));
}

/** Sends an event at intervals. Returns how long each took to arrive, sorted. */
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
    sent.set(await sendEvent(new Client(origin), tenant), at);
    await sleep(HEALTHY_EVERY_MS);
  }
  await sleep(5_000);
  const arrived = new Map(receiver.received.map((item) => [item.headers["webhook-id"], item.at]));
  return [...sent]
    .map(([id, at]) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - at)
    .sort((a, b) => a - b);
}

async function checkDelivered(
  world: World,
  { domainId }: Tenant,
  { path, expected, timeoutMs }: { path: string; expected: number; timeoutMs: number },
): Promise<void> {
  const delivered = () =>
    world.count("SELECT count(*) FROM webhook_event WHERE domain_id = $1 AND status = 'delivered'", [
      domainId,
    ]);
  const all = await waitFor(async () => (await delivered()) === expected, timeoutMs);
  world.stage.check(
    `all that waited for ${path} is delivered`,
    all !== null,
    `${await delivered()} of ${expected}, ${seconds(all?.ms ?? null)} after it was looked at`,
  );
}
