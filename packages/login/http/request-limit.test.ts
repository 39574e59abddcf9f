import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database } from "../database/database.ts";
import { callSqlFunction, sqlFunction } from "../database/sql-function.ts";
import { NETWORK_LIMIT_FACTOR } from "./numbers.ts";
import type { LimitCounters } from "./request-limit.ts";
import { RequestLimit } from "./request-limit.ts";

const CHECK_LOGIN = sqlFunction("check_login", []);

test("refuses requests without querying PostgreSQL once a limit has been reached", async () => {
  let statements = 0;
  const database: Database = {
    run() {
      statements++;
      const detail = JSON.stringify({ counter: "network", reset_ms: 30_000 });
      return Promise.reject(Object.assign(new Error("used up"), { code: "SL429", detail }));
    },
  };
  const counters: LimitCounters = [
    { key: "a client", limit: 1, windowSeconds: 60 },
    { key: "its network", limit: NETWORK_LIMIT_FACTOR, windowSeconds: 60 },
  ];
  for (let attempt = 0; attempt < 2; attempt++) {
    const limit = new RequestLimit(counters, database);
    await expect(callSqlFunction(database, CHECK_LOGIN, {}, limit)).rejects.toMatchObject({
      code: "rate_limited",
      details: { retry_after: 30 },
    });
    expect(limit.headers["ratelimit-limit"]).toBe(String(NETWORK_LIMIT_FACTOR));
  }
  expect(statements).toBe(1);
});

describe("limits while the database is unreachable", () => {
  const away: Database = {
    run: () => Promise.reject(Object.assign(new Error("unreachable"), { code: "ECONNREFUSED" })),
  };
  const take = (counters: LimitCounters) => new RequestLimit(counters, away).take();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("are counted in memory, separately for each caller, until the window ends", async () => {
    const counter = (key: string): LimitCounters => [{ key, limit: 2, windowSeconds: 60 }];
    await take(counter("one"));
    vi.advanceTimersByTime(59_000);
    await take(counter("one"));
    await expect(take(counter("one"))).rejects.toMatchObject({
      code: "rate_limited",
      details: { retry_after: 1 },
    });
    await take(counter("other"));
    vi.advanceTimersByTime(1_001);
    await take(counter("one"));
  });

  test("count a network's requests only if they are within its clients' limits", async () => {
    const client = (name: string): LimitCounters => [
      { key: `client ${name}`, limit: 1, windowSeconds: 60 },
      { key: "network", limit: NETWORK_LIMIT_FACTOR, windowSeconds: 60 },
    ];
    await take(client("0"));
    for (let again = 0; again < NETWORK_LIMIT_FACTOR; again++) {
      await expect(take(client("0"))).rejects.toMatchObject({ code: "rate_limited" });
    }
    for (let other = 1; other < NETWORK_LIMIT_FACTOR; other++) await take(client(String(other)));
    await expect(take(client("one too many"))).rejects.toMatchObject({ code: "rate_limited" });
  });
});
