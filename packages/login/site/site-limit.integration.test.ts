import { expect, test } from "vitest";
import { CLIENT_ADDRESS_HEADER, formatClientStamp } from "../http/client-address.ts";
import { createLogin } from "../index.ts";
import { newClientHeaders, SITE_SETTINGS, startSite } from "./tests/site.fixture.ts";

const site = startSite((databaseUrl) => createLogin(async () => ({ ...SITE_SETTINGS, databaseUrl })));

const headersOf = (headers: Record<string, string>) => new Headers(headers);
const isWithin = (headers: Headers, name = "notes", perMinute = 3) =>
  site().login.isWithinLimit(headers, { name, perMinute });

test("counts requests separately for each client and for each limit that the site names", async () => {
  const [one, other] = [headersOf(newClientHeaders()), headersOf(newClientHeaders())];
  const results: boolean[] = [];
  for (let request = 0; request < 5; request++) results.push(await isWithin(one));
  expect(results).toEqual([true, true, true, false, false]);
  expect(await isWithin(other)).toBe(true);
  expect(await isWithin(one, "comments")).toBe(true);
});

test("lets only the allowed number of simultaneous requests through", async () => {
  const headers = headersOf(newClientHeaders());
  const results = await Promise.all(Array.from({ length: 12 }, () => isWithin(headers)));
  expect(results.filter(Boolean)).toHaveLength(3);
});

test("counts an IPv6 client's requests in the database, for the client and its network", async () => {
  const headers = headersOf({ [CLIENT_ADDRESS_HEADER]: formatClientStamp("2001:db8:7:1::/64") });
  expect(await isWithin(headers)).toBe(true);
  const { rows } = await site().client.query(
    "SELECT key, points FROM rate_limit WHERE key LIKE 'site:%2001:%' ORDER BY key",
  );
  expect(rows).toEqual([
    { key: "site:notes:2001:db8:7:1::/64", points: 1 },
    { key: "site:notes:2001:db8:7::/48", points: 1 },
  ]);
});

test("refuses a request from an unknown client, regardless of its headers", async () => {
  for (const headers of [new Headers(), headersOf({ [CLIENT_ADDRESS_HEADER]: "203.0.113.9" })])
    await expect(isWithin(headers)).rejects.toThrow();
});
