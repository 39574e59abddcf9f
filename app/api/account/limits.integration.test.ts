import { expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const read = (browser: Client) => browser.fetch("/api/account/export");

async function useUp(key: string, requests: number): Promise<void> {
  const used = await sql(databaseUrl, "UPDATE rate_limit SET points = $2 WHERE key = $1 RETURNING 1", [
    ...[key, requests],
  ]);
  expect(used).toHaveLength(1);
}

test("a user's exports are limited wherever they come from, and nobody else's by it", async () => {
  const { browser, wallet, userId } = await signedIn(url);
  expect((await read(browser)).status).toBe(200);
  await useUp(`account-export:${userId}`, 60);
  await expectApiError(await read(browser), 429, "rate_limited");
  const elsewhere = await signedIn(url, wallet);
  await expectApiError(await read(elsewhere.browser), 429, "rate_limited");
  expect((await read((await signedIn(url)).browser)).status).toBe(200);
  // A thief who exports without a pause does not keep the owner from signing the thief out.
  expect((await elsewhere.browser.fetch("/api/account/sessions", { method: "DELETE" })).status).toBe(204);
});

test("a client's requests to accounts are limited, signed in or not", async () => {
  const stranger = new Client(url);
  const first = await read(stranger);
  expect([first.status, first.headers.get("ratelimit-limit")]).toEqual([401, "120"]);
  await useUp(`account:${stranger.address}`, 120);
  const refused = await stranger.fetch("/api/account/recovery", { method: "DELETE" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await expectApiError(refused, 429, "rate_limited");
  // Another site's page is refused before anybody is counted.
  const planted = { method: "DELETE", headers: { Origin: "https://evil.example" } };
  await expectApiError(await stranger.fetch("/api/account/recovery", planted), 403, "forbidden");
});
