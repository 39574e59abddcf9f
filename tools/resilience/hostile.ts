import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { anyCharacter } from "../kit/any-character.ts";
import { Client } from "../kit/client.ts";
import { countOpenFiles, measureResidentMb } from "../kit/process-figures.ts";
import { RawSocket } from "../kit/raw-socket.ts";
import { formatSeconds, waitFor, waitUntilOk } from "../kit/waiting.ts";
import { ENDLESS_REQUESTS, formatGet, formatPost, HOSTILE_BYTES } from "./hostile-requests.ts";
import { requireLinux, type Scenario, Stage } from "./stage.ts";
import { World } from "./world.ts";

const RANDOM_REQUESTS = 3_000;
const HANG_UPS = 1_000;
const PIPELINED = 200;
/** How long a stalled request can take. Headers have 10 s, and the body has another 10 s. */
const HANG_MS = 25_000;
const MEMORY_MB = 64;

export const hostileScenario: Scenario = {
  name: "hostile",
  title: "hostile requests of every kind",
  async play(stage) {
    requireLinux();
    const world = await World.open(stage);
    const app = await world.start();
    const memoryMb = () => measureResidentMb([app.pid]) ?? Number.NaN;
    // The first round is not measured. The memory for the code that it loads and compiles is not a leak.
    await sendAll(new Stage({ ...stage.options, seed: stage.options.seed + 1, say: () => {} }), app.url);
    const before = { memory: memoryMb(), handles: countOpenFiles(app.pid) };
    await sendAll(stage, app.url);

    const well = await waitUntilOk(`${app.url}/readyz`, 2_000);
    const back = await waitFor(() => countOpenFiles(app.pid) <= before.handles + 5, 30_000);
    stage.check(
      "the process stays and serves",
      well !== null && app.process.exitCode === null && !/uncaught|unhandled/i.test(app.output()),
      `process ${app.pid}, ready after ${formatSeconds(well)}`,
    );
    stage.check(
      "connections are given back",
      back !== null,
      `${before.handles} open before, ${countOpenFiles(app.pid)} after`,
    );
    await waitFor(() => memoryMb() < before.memory + MEMORY_MB, 15_000);
    const more = memoryMb() - before.memory;
    stage.check(
      `and memory, but for ${MEMORY_MB} MB`,
      more < MEMORY_MB,
      `${before.memory.toFixed(0)} MB before, ${more.toFixed(0)} MB more`,
    );
  },
};

async function sendAll(stage: Stage, origin: string): Promise<void> {
  await sendHostileRequests(stage, origin);
  await sendRandom(stage, origin);
  await hangUpEarly(origin);
  stage.say(`${HANG_UPS} hung up early`);
  await checkPipelining(stage, origin);
}

/** @param hangMs how long a stalled request can stay open */
export async function sendHostileRequests(stage: Stage, origin: string, hangMs = HANG_MS): Promise<void> {
  const results = HOSTILE_BYTES.map(([name, bytes]) =>
    findFault(origin, bytes, { stays: true, name, hangMs }),
  );
  const bad = (await Promise.all(results)).filter((failure) => failure !== null);
  stage.checkNone(`${HOSTILE_BYTES.length} listed ones: no 5xx, no hang`, bad);
  for (const [name, head, chunk] of ENDLESS_REQUESTS) {
    const socket = new RawSocket(origin);
    await socket.write(head);
    let sentCount = 0;
    while (socket.openMs === null && sentCount < 2 ** 28) {
      await socket.write(chunk);
      sentCount += chunk.length;
    }
    const isOver = socket.openMs !== null && socket.statuses.every((status) => status < 500);
    socket.hangUp();
    stage.check(
      `${name} is cut off`,
      isOver,
      `${socket.statuses.join()} after ${(sentCount / 2 ** 20).toFixed(1)} MB`,
    );
  }
}

/** Null if the response is as it should be. */
async function findFault(
  origin: string,
  bytes: string,
  {
    stays = false,
    name = JSON.stringify(bytes.slice(0, 300)),
    hangMs = HANG_MS,
  }: { stays?: boolean; name?: string; hangMs?: number } = {},
): Promise<string | null> {
  const socket = new RawSocket(origin, { halfOpen: !stays });
  if (stays) await socket.write(bytes);
  else socket.finish(bytes);
  // If the server keeps the connection open for further requests, one response is enough.
  const isOver = stays
    ? await waitFor(() => socket.openMs !== null || socket.statuses.length > 0, hangMs)
    : await Promise.race([socket.closed.then(() => true), sleep(hangMs, false, { ref: false })]);
  socket.hangUp();
  if (!isOver) return `${name} hangs for ${formatSeconds(hangMs)}`;
  const failed = socket.statuses.find((status) => status >= 500);
  return failed === undefined ? null : `${failed} for ${name}`;
}

async function sendRandom(stage: Stage, origin: string): Promise<void> {
  const { seed } = stage.options;
  const property = fc.asyncProperty(hostileRequest, async (bytes) => {
    const failure = await findFault(origin, bytes);
    if (failure) throw new Error(failure);
  });
  const outcome = await fc.check(property, { seed, numRuns: RANDOM_REQUESTS, endOnFailure: true });
  stage.check(
    `${RANDOM_REQUESTS} random requests (seed ${seed}): no 5xx, no hang`,
    !outcome.failed,
    outcome.failed ? String(outcome.errorInstance) : `${outcome.numRuns} answered`,
  );
}

/** Disconnects in the middle of a request, or before the response arrives. */
async function hangUpEarly(origin: string): Promise<void> {
  const request = formatPost("Content-Length: 20\r\n", '{"public_key": true}');
  for (let index = 0; index < HANG_UPS; index++) {
    const socket = new RawSocket(origin);
    await socket.write(request.slice(0, (index * 7) % (request.length + 1)));
    if (index % 3 === 0) await sleep(1);
    socket.hangUp();
  }
}

async function checkPipelining(stage: Stage, origin: string): Promise<void> {
  const socket = new RawSocket(origin);
  await socket.write(formatGet("/api/svc/check?sid=x").repeat(PIPELINED));
  await waitFor(() => socket.statuses.length >= PIPELINED, 10_000);
  const { statuses } = socket;
  socket.hangUp();
  const { status } = await new Client(origin).send("/api/svc/check?sid=x");
  stage.check(
    `${PIPELINED} requests at once on one connection are answered one by one`,
    statuses.length === PIPELINED && statuses.every((received) => received === status),
    `${statuses.length} answers`,
  );
}

export const splitWords = (text: string) => text.trim().split(/\s+/);
const wordOf = (text: string) => fc.constantFrom(...splitWords(text));

const method = wordOf("GET POST HEAD PUT DELETE PATCH OPTIONS TRACE get QUERY");
const path = wordOf(`
  / /login /dashboard /wallet /console /open /docs/api /healthz /readyz /api/svc/qr /api/svc/check /api/svc/events
  /webhook/login /webhook/register /webhook/sessions/x /webhook/events /api/getqrcode /api/fastauth /api/checkfast
  /api/svc/sign-in /api/auth/csrf /api/auth/callback/svc /api/auth/signout /api/auth/session /v1/sessions /v1/verify
  /sandbox/v1/domains /v1/openapi.json /api/account/sessions /_next/image
`);
const fragment = fc.oneof(
  wordOf("%00 %E0%A4%A %ED%A0%80 .. %2e%2e // \\ ? & = sid= # @ ; %"),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
);
const target = fc
  .tuple(path, fc.array(fragment, { maxLength: 4 }))
  .map(([base, fragments]) => base + latin1(fragments.join("")).replace(/[\r\n ]/g, "_"));
const headerName = wordOf(`
  Host Cookie Authorization Content-Type Content-Length Transfer-Encoding Content-Encoding Origin Referer
  X-Forwarded-For X-Request-Id Accept Accept-Language RSC Next-Action Next-Url Range If-None-Match Expect
  x-middleware-subrequest Idempotency-Key Last-Event-ID Sec-Fetch-Site Upgrade-Insecure-Requests
`);
const headerValue = fc.oneof(
  fc.constantFrom("", "a=b; c", ...splitWords("0 2 -1 application/json chunked null %%% bytes=0- */* gzip")),
  fc.string({ unit: anyCharacter, maxLength: 20 }).map(latin1),
);
const header = fc
  .tuple(headerName, headerValue)
  .map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, " ")}`);
const body = fc
  .oneof(fc.constant(""), fc.json({ maxDepth: 3 }), fc.string({ unit: anyCharacter, maxLength: 60 }))
  .map(latin1);

/** In one of four requests, bytes are removed or inserted. */
const hostileRequest: fc.Arbitrary<string> = fc
  .tuple(method, target, fc.array(header, { maxLength: 4 }), body, fc.boolean())
  .map(([verb, where, headers, text, sized]) => {
    const lines = ["Host: localhost", "Connection: close", ...headers];
    if (sized) lines.unshift(`Content-Length: ${text.length}`);
    return [`${verb} ${where} HTTP/1.1`, ...lines, "", text].join("\r\n");
  })
  .chain((bytes) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(bytes) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.nat(bytes.length), fc.nat(8), fc.string({ unit: anyCharacter, maxLength: 4 }).map(latin1))
          .map(([at, cut, put]) => bytes.slice(0, at) + put + bytes.slice(at + cut)),
      },
    ),
  );

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
