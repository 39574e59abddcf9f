import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Database, type Statement, statement } from "../store/database.ts";
import { countingDatabase } from "./limit-counters.ts";
import { CLIENTS_PER_NETWORK } from "./numbers.ts";
import { type Counters, type CountRequest, RequestLimit } from "./request-limit.ts";

const ASKED = statement({ name: "asked", select: "SELECT 1 AS one", durable: false });

test("a request whose window ended between its count and the next is answered, and counted once", async () => {
  const ran: string[] = [];
  const database: Database = {
    async run<Row>({ name }: Statement) {
      ran.push(name);
      // What PostgreSQL says where the limit is used up.
      if (name !== ASKED.name) throw Object.assign(new Error("division by zero"), { code: "22012" });
      return [{ one: 1 }] as Row[];
    },
  };
  const counter = { key: "a client", limit: 1, windowSeconds: 60 };
  let counts = 0;
  const limit = new RequestLimit([counter], async () => {
    counts++;
    return { counted_requests: 1, counted_reset_ms: 60_000 };
  });
  expect(await countingDatabase(database, limit).run(ASKED, [])).toEqual([{ one: 1 }]);
  expect([ran.at(-1), counts]).toEqual([ASKED.name, 1]);
});

describe("limits while the database is unreachable", () => {
  const away: CountRequest = () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
  const take = (counters: Counters) => new RequestLimit(counters, away).take();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("are counted in memory, each caller's by itself, until the window ends", async () => {
    const counter = (key: string): Counters => [{ key, limit: 2, windowSeconds: 60 }];
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

  test("are those of the network too, which counts only what its clients may still do", async () => {
    const client = (name: string): Counters => [
      { key: `client ${name}`, limit: 1, windowSeconds: 60 },
      { key: "network", limit: CLIENTS_PER_NETWORK, windowSeconds: 60 },
    ];
    await take(client("0"));
    for (let again = 0; again < CLIENTS_PER_NETWORK; again++) {
      await expect(take(client("0"))).rejects.toMatchObject({ code: "rate_limited" });
    }
    for (let other = 1; other < CLIENTS_PER_NETWORK; other++) await take(client(String(other)));
    await expect(take(client("one too many"))).rejects.toMatchObject({ code: "rate_limited" });
  });
});
