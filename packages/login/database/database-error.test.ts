import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { PrismaClient } from "../../../generated/prisma/client.ts";
import { findFreePort } from "../../../tools/kit/start-server.ts";
import { isDatabaseUnavailable } from "./database-error.ts";
import { DatabaseWaitTimer, runWithDatabaseWaitTimer } from "./database-wait.ts";
import { TimeLimitedPool } from "./time-limited-pool.ts";

const TIMEOUT_MS = 200;
const PATIENT_MS = 30_000;

/** AuthenticationOk, ReadyForQuery */
const READY = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** ErrorResponse */
function errorResponse(code: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mno, for a reason\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

type Behaviour = (socket: Socket) => void;

const atTheFirstStatement =
  (act: Behaviour): Behaviour =>
  (socket) => {
    socket.once("data", () => {
      socket.write(READY);
      socket.once("data", () => act(socket));
    });
  };

const NOTHING: Behaviour = () => {};
const END: Behaviour = (socket) => socket.end();
const RESET: Behaviour = (socket) => socket.resetAndDestroy();
const reportError = (code: string) => (socket: Socket) => socket.end(errorResponse(code));

async function serve(behaviour: Behaviour): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    behaviour(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `postgresql://n:n@127.0.0.1:${typeof address === "object" ? address?.port : 0}/n`;
}

/** On one connection, in a pool without a free connection, and through Prisma. */
async function failuresAt(connectionString: string): Promise<unknown[]> {
  const settings = { connectionString, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS };
  const client = new pg.Client(settings).on("error", () => {});
  const pool = new pg.Pool({ ...settings, max: 1 }).on("error", () => {});
  const prisma = new PrismaClient({ adapter: new PrismaPg(settings) });
  const tries = [
    client.connect().then(() => client.query("SELECT 1")),
    pool.query("SELECT 1"),
    pool.query("SELECT 1"),
    prisma.owner.count(),
    prisma.$queryRawUnsafe("SELECT 1"),
    prisma.$transaction((within) => within.owner.count(), { maxWait: 10 * TIMEOUT_MS }),
  ];
  const settled = await Promise.allSettled(tries);
  const again = await client.query("SELECT 1").catch((error: unknown) => error);
  await prisma.$disconnect();
  const failures = settled.map((outcome) =>
    outcome.status === "rejected" ? outcome.reason : "was answered",
  );
  return [...failures, again];
}

const verdictOf = (error: unknown) => `${isDatabaseUnavailable(error)}: ${error}`;

describe("an unreachable database", () => {
  test.each<[string, Behaviour]>([
    ["accepts connections and sends nothing", NOTHING],
    ["closes connections", END],
    ["resets connections", RESET],
    [
      "sends something other than PostgreSQL's protocol",
      (socket) => socket.write("HTTP/1.1 503 Busy\r\n\r\n"),
    ],
    ...["57P01", "57P02", "57P03", "53300", "08006", "08P01", "28P01", "3D000"].map(
      (code): [string, Behaviour] => [`refuses connections with ${code}`, reportError(code)],
    ),
    ["does not answer a statement", atTheFirstStatement(NOTHING)],
    ["closes the connection of a statement", atTheFirstStatement(END)],
    ["resets the connection of a statement", atTheFirstStatement(RESET)],
    ["shuts down at a statement", atTheFirstStatement(reportError("57P01"))],
    ["is read-only", atTheFirstStatement(reportError("25006"))],
  ])("is recognised from the driver's error: it %s", async (_what, behaviour) => {
    for (const failure of await failuresAt(await serve(behaviour))) {
      expect(verdictOf(failure)).toMatch(/^true: /);
    }
  });

  test.each(["127.0.0.1", "localhost", "nowhere.invalid"])(
    "is recognised from the driver's error if no server listens: %s",
    async (host) => {
      const failures = await failuresAt(`postgresql://n:n@${host}:${await findFreePort()}/n`);
      for (const failure of failures) expect(verdictOf(failure)).toMatch(/^true: /);
    },
  );

  test("is recognised if the stopping process has closed the pool", async () => {
    const pool = new pg.Pool({ connectionString: await serve(NOTHING) });
    await pool.end();
    expect(verdictOf(await pool.query("SELECT 1").catch((error: unknown) => error))).toMatch(/^true: /);
  });
});

test("does not treat an error in the application's own code as an unreachable database", async () => {
  const connectionString = await serve(atTheFirstStatement(reportError("42601")));
  const pool = new TimeLimitedPool({ connectionString, connectionTimeoutMillis: PATIENT_MS }, PATIENT_MS);
  pool.on("error", () => {});
  expect(verdictOf(await pool.query("SELECT 1").catch((error: unknown) => error))).toBe(
    "false: error: no, for a reason",
  );
});

describe("a connection that cannot be opened", () => {
  test.each<[string, Behaviour]>([
    ["does not answer", NOTHING],
    ["closes the connection", END],
    ["reports an internal error", reportError("XX000")],
    ["reports an unknown error", reportError("ZZ999")],
  ])("counts as an unreachable database if the server %s", async (_what, behaviour) => {
    const settings = { connectionString: await serve(behaviour), connectionTimeoutMillis: TIMEOUT_MS };
    const pool = new TimeLimitedPool({ ...settings, max: 1 }, 10 * TIMEOUT_MS);
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    const wait = new DatabaseWaitTimer(50 * TIMEOUT_MS);
    const settled = await Promise.allSettled([
      pool.query("SELECT 1"),
      pool.connect(),
      runWithDatabaseWaitTimer(wait, () => pool.query("SELECT 1")),
      prisma.owner.count(),
    ]);
    for (const outcome of settled) {
      expect(verdictOf(outcome.status === "rejected" ? outcome.reason : "was answered")).toMatch(/^true: /);
    }
    expect(wait.failed).toBe(true);
  });
});

test("treats the database as unreachable if a transaction cannot begin because the server is silent", async () => {
  const client = new PrismaClient({
    adapter: new PrismaPg({ connectionString: await serve(NOTHING), connectionTimeoutMillis: 500 }),
  });
  const failure = await client
    .$transaction((within) => within.owner.count(), { maxWait: 100 })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "P2028" });
  expect(isDatabaseUnavailable(failure)).toBe(true);
});
