import { expect, test } from "vitest";
import { startLoginStore } from "../../../e2e/support/login-store.ts";
import { callSqlFunction, sqlFunction } from "../database/sql-function.ts";
import { NETWORK_LIMIT_FACTOR } from "./numbers.ts";
import { createLimitCounters, RequestLimit } from "./request-limit.ts";

/** docs/protocol.md#24-limits */

const store = startLoginStore();

const CHECK_LOGIN = sqlFunction("check_login", ["loginSid"]);

async function request(client: string, scale: number): Promise<string | undefined> {
  const { database } = store();
  const limit = new RequestLimit(createLimitCounters("qr", client, scale), database);
  expect(await callSqlFunction(database, CHECK_LOGIN, { loginSid: "nothing" }, limit)).toBeNull();
  return limit.headers["ratelimit-remaining"];
}

const pointsOf = async (key: string) =>
  (await store().query<{ points: number }>("SELECT points FROM rate_limit WHERE key = $1", [key]))[0]?.points;

test("counts requests for a client and for its network, and refuses those above either limit", async () => {
  const limit = 2;
  const ask = (client: number) => request(`2001:db8:1:${client}::/64`, limit / 120);
  expect([await ask(0), await ask(0)]).toEqual(["1", "0"]);
  await expect(ask(0)).rejects.toMatchObject({ code: "rate_limited" });
  expect(await pointsOf("qr:2001:db8:1:0::/64")).toBe(limit);
  for (let client = 1; client < NETWORK_LIMIT_FACTOR; client++) await Promise.all([ask(client), ask(client)]);
  await expect(ask(NETWORK_LIMIT_FACTOR)).rejects.toMatchObject({ code: "rate_limited" });
  expect(await pointsOf(`qr:2001:db8:1:${NETWORK_LIMIT_FACTOR}::/64`)).toBeUndefined();
});

test("starts counting again when a window has ended", async () => {
  const ask = () => request("203.0.113.1", 1);
  expect([await ask(), await ask()]).toEqual(["119", "118"]);
  await store().query("UPDATE rate_limit SET expire = 0 WHERE key = 'qr:203.0.113.1'");
  expect(await ask()).toBe("119");
});

test("works with the largest limit that a site can set", async () => {
  const largest = 2 ** 31 - 1;
  expect(await request("2001:db8:2:0::/64", largest / 120)).toBe(String(largest - 1));
});
