import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "../../../e2e/support/tcp-proxy.ts";
import { isDatabaseUnavailable } from "./database-error.ts";
import { DatabaseWaitTimer, getDatabaseWaitTimer, runWithDatabaseWaitTimer } from "./database-wait.ts";
import { TimeLimitedPool } from "./time-limited-pool.ts";

/** One connection, through a proxy that can stop forwarding data. */
const ANSWER_TIMEOUT_MS = 1_000;
let proxy: TcpProxy;
let pool: TimeLimitedPool;

beforeAll(async () => {
  const url = new URL(inject("databaseUrl"));
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  pool = new TimeLimitedPool(
    { connectionString: url.href, max: 1, connectionTimeoutMillis: 30_000 },
    ANSWER_TIMEOUT_MS,
  );
  pool.on("error", () => {});
});

afterEach(() => proxy.heal());

afterAll(async () => {
  await pool?.end();
  await proxy?.close();
});

const SELECT = "SELECT pg_backend_pid() AS pid";

async function backend(): Promise<number> {
  return (await pool.query<{ pid: number }>(SELECT)).rows[0]?.pid ?? 0;
}

async function measureFailure(act: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const from = performance.now();
  try {
    await act();
  } catch (error) {
    return { error, ms: performance.now() - from };
  }
  throw new Error("was answered");
}

describe("a statement that gets no response", () => {
  test("fails as an unreachable database, and its connection is never used again", async () => {
    const silent = await backend();
    proxy.swallow();
    const { error, ms } = await measureFailure(() => pool.query(SELECT));
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(ms).toBeGreaterThan(ANSWER_TIMEOUT_MS - 50);
    await proxy.heal();
    expect(await backend()).not.toBe(silent);
    expect(pool.totalCount).toBe(1);
  });

  test("closes its transaction's connection even if the connection is released without an error", async () => {
    const client = await pool.connect();
    client.on("error", () => {});
    const [silent] = (await client.query<{ pid: number }>(SELECT)).rows;
    proxy.swallow();
    await measureFailure(() => client.query("BEGIN"));
    client.release();
    await proxy.heal();
    expect(await backend()).not.toBe(silent?.pid);
  });

  test("does not close idle connections", async () => {
    const idle = await backend();
    await sleep(ANSWER_TIMEOUT_MS + 200);
    expect(await backend()).toBe(idle);
  });
});

describe("a request", () => {
  test("has a single time limit for all of its statements", async () => {
    const wait = new DatabaseWaitTimer(700);
    const { error, ms } = await measureFailure(() =>
      runWithDatabaseWaitTimer(wait, async () => {
        for (let query = 0; query < 10; query++) await pool.query("SELECT pg_sleep(0.3)");
      }),
    );
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(wait.failed).toBe(true);
    expect(ms).toBeGreaterThan(650);
    expect(ms).toBeLessThan(3_000);
  });

  test("fails if no connection becomes free in time", async () => {
    const heldClient = await pool.connect();
    const { error, ms } = await measureFailure(() =>
      runWithDatabaseWaitTimer(new DatabaseWaitTimer(300), () => pool.query(SELECT)),
    );
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(ms).toBeLessThan(3_000);
    heldClient.release();
    expect(await backend()).toBeGreaterThan(0);
  });

  test("does not count time spent outside the database", async () => {
    const result = await runWithDatabaseWaitTimer(new DatabaseWaitTimer(500), async () => {
      await pool.query(SELECT);
      await sleep(700);
      return pool.query(SELECT);
    });
    expect(result.rowCount).toBe(1);
  });

  test("uses its own time limit, even on another request's connection", async () => {
    const first = runWithDatabaseWaitTimer(new DatabaseWaitTimer(600), () =>
      pool.query("SELECT pg_sleep(0.3)"),
    );
    const second = runWithDatabaseWaitTimer(new DatabaseWaitTimer(5_000), () =>
      pool.query("SELECT pg_sleep(0.8)"),
    );
    await Promise.all([first, second]);
  });
});

test("handles a notification outside the time limit of the request that opened the connection", async () => {
  await pool.query("SELECT pg_terminate_backend(pg_backend_pid())").catch(() => {});
  const client = await runWithDatabaseWaitTimer(new DatabaseWaitTimer(5_000), () => pool.connect());
  try {
    const released = Promise.withResolvers<DatabaseWaitTimer | undefined>();
    client.on("notification", () => released.resolve(getDatabaseWaitTimer()));
    await client.query("LISTEN news");
    await client.query("NOTIFY news");
    expect(await released.promise).toBeUndefined();
  } finally {
    client.release(true);
  }
});

test("ignores the timeout of a connection attempt after the request has given up", async () => {
  const timeoutMs = 100;
  const busy = new TimeLimitedPool(
    { connectionString: inject("databaseUrl"), max: 1, connectionTimeoutMillis: timeoutMs },
    ANSWER_TIMEOUT_MS,
  );
  const client = await busy.connect();
  const thrown: unknown[] = [];
  const note = (error: unknown) => void thrown.push(error);
  process.on("uncaughtException", note);
  try {
    const wait = new DatabaseWaitTimer(timeoutMs / 2);
    await expect(runWithDatabaseWaitTimer(wait, () => busy.query(SELECT))).rejects.toThrow("in time");
    await sleep(2 * timeoutMs);
    expect(thrown).toEqual([]);
  } finally {
    process.off("uncaughtException", note);
    client.release();
    await busy.end();
  }
});
