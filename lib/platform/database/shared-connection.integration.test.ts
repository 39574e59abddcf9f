import pg from "pg";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "#e2e/support/tcp-proxy.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";
import { DatabaseWait, withDatabaseWait } from "#packages/login/database/database-wait.ts";
import { destroyOnTimeout } from "#packages/login/database/time-limited-pool.ts";
import { SharedConnection } from "./shared-connection.ts";

/** A shared connection through a network that can be cut. */
const ANSWER_TIMEOUT_MS = 1_000;
let proxy: TcpProxy;
let shared: SharedConnection;

beforeAll(async () => {
  const url = new URL(inject("databaseUrl"));
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  shared = new SharedConnection(() => {
    const client = new pg.Client({ connectionString: url.href, pipeline: true, lock_timeout: 200 });
    destroyOnTimeout(client, ANSWER_TIMEOUT_MS);
    return client;
  });
});

afterAll(async () => {
  await proxy?.heal();
  await shared?.end();
  await proxy?.close();
});

async function backend(): Promise<number> {
  const { rows } = await shared.query({
    name: "backend",
    text: "SELECT pg_backend_pid() AS pid",
    values: [],
  });
  return (rows as { pid: number }[])[0]?.pid ?? 0;
}

const divide = (by: number) =>
  shared.query({ name: "divide", text: "SELECT 12 / $1::int AS quotient", values: [by] });

test("statements at once go over one connection, and each gets its own answer", async () => {
  expect(new Set(await Promise.all(Array.from({ length: 20 }, backend))).size).toBe(1);
  const answers = await Promise.all([1, 2, 3, 4].map(divide));
  expect(answers.map(({ rows }) => rows)).toEqual([12, 6, 4, 3].map((quotient) => [{ quotient }]));
});

test("a statement that fails leaves the others unaffected", async () => {
  const settled = await Promise.allSettled([1, 0, 3].map(divide));
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("statements without an answer are given up together, and the next opens a connection", async () => {
  const silent = await backend();
  proxy.swallow();
  const settled = await Promise.allSettled([backend(), divide(1)]);
  for (const each of settled) {
    expect(each.status === "rejected" && isDatabaseUnavailable(each.reason)).toBe(true);
  }
  await proxy.heal();
  expect(await backend()).not.toBe(silent);
});

test("a connection that the server ends fails what waits on it, and the next opens another", async () => {
  const ended = await backend();
  const end = { name: "end", text: "SELECT pg_terminate_backend(pg_backend_pid())", values: [] };
  const settled = await Promise.allSettled([shared.query(end), divide(1)]);
  for (const each of settled) {
    expect(each.status === "rejected" && isDatabaseUnavailable(each.reason)).toBe(true);
  }
  expect(await backend()).not.toBe(ended);
});

test("a request whose time is over gives up alone: the others' statements are answered", async () => {
  const before = await backend();
  proxy.delay(500);
  try {
    const others = [backend(), divide(3)];
    const late = [0, 100].map((ms) => withDatabaseWait(new DatabaseWait(ms), backend));
    for (const each of await Promise.allSettled(late)) {
      expect(each.status === "rejected" && isDatabaseUnavailable(each.reason)).toBe(true);
    }
    expect(await Promise.all(others)).toEqual([before, expect.objectContaining({ rows: [{ quotient: 4 }] })]);
  } finally {
    proxy.delay(0);
  }
  expect(await backend()).toBe(before);
});

test("a statement that could not be prepared fails alone, not those of its name behind it", async () => {
  const table = `shared_${crypto.randomUUID().replaceAll("-", "")}`;
  const holder = new pg.Client({ connectionString: inject("databaseUrl") });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query(`CREATE TABLE ${table} ()`);
  onTestFinished(async () => void (await holder.query(`DROP TABLE ${table}`)));
  await holder.query(`BEGIN; LOCK ${table} IN ACCESS EXCLUSIVE MODE`);
  const count = { name: table, text: `SELECT count(*)::int FROM ${table}`, values: [] };
  const counts = Array.from({ length: 20 }, () => shared.query(count));
  const first = await Promise.race(counts).catch((error) => error);
  expect(isDatabaseUnavailable(first)).toBe(true);
  await holder.query("ROLLBACK");
  const behind = await Promise.allSettled(counts.slice(1));
  for (const each of behind) {
    expect(each.status === "fulfilled" || isDatabaseUnavailable(each.reason)).toBe(true);
  }
  expect((await shared.query(count)).rows).toEqual([{ count: 0 }]);
});

test("more statements than can be answered are refused at once", async () => {
  proxy.swallow();
  const settled = Promise.allSettled(Array.from({ length: 1_000 }, () => divide(1)));
  await expect(divide(1)).rejects.toSatisfy(isDatabaseUnavailable);
  await settled;
  await proxy.heal();
  expect((await divide(2)).rows).toEqual([{ quotient: 6 }]);
});

test("a request waits no longer for the connection than it may for the database", async () => {
  await shared.end();
  proxy.swallow();
  const wait = new DatabaseWait(300);
  await expect(withDatabaseWait(wait, backend)).rejects.toSatisfy(isDatabaseUnavailable);
  await proxy.heal();
  expect(await backend()).toBeGreaterThan(0);
});
