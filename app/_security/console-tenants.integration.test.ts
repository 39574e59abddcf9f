import { beforeAll, describe, expect, inject, test } from "vitest";
import { NOBODYS_ID, PAGES } from "#e2e/support/addresses.ts";
import { Customer } from "#e2e/support/customer.ts";
import { OPERATIONS } from "#lib/hosted/contract/operations.ts";
import { API_ROUTES } from "#lib/routes/api-routes.ts";
import { Client } from "#scripts/kit/client.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** The console's users, each an owner: nobody sees or changes what is another's, whatever identifier they know. */

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

type Owned = { domain: string; session: string; delivery: string; key: string };
let owner: Client;
let stranger: Client;
let owned: Owned;

beforeAll(async () => {
  owner = (await signedIn(url)).browser;
  stranger = (await signedIn(url)).browser;
  const { id: key, key: text } = await change(owner, "/keys", { name: "the owner's" });
  const name = `d${Date.now()}.example`;
  const { id: domain } = await change(owner, "/domains", { domain: name, webhook_url: `https://${name}/` });
  const api = new Customer(url, { mode: "test", tenantId: "", apiKeyId: "", key: String(text) });
  const { id: session, challenge } = await api.createSession(name);
  await new Client(url).post(`/webhook/sessions/${session}`, new TestWallet().response(challenge));
  const [event] = await sql<{ id: string }>(databaseUrl, "SELECT id FROM webhook_event WHERE sid = $1", [
    session,
  ]);
  owned = { domain: String(domain), session, delivery: event?.id ?? "", key: String(key) };
});

async function change(who: Client, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await who.post(`/api/console/test${path}`, body, { Origin: url });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** What a path of the console names, by its segment before the identifier. */
function withOwnedId(path: string): string {
  return path.replace(/\/(domains|sessions|deliveries|keys)\/(?::id|\[id\])/, (_match, noun: string) => {
    const ids = {
      domains: owned.domain,
      sessions: owned.session,
      deliveries: owned.delivery,
      keys: owned.key,
    };
    return `/${noun}/${ids[noun as keyof typeof ids]}`;
  });
}

describe("a signed-in user with another owner's identifiers", () => {
  test("changes nothing by any route of the console: 404, as if there were no such thing", async () => {
    const naming = API_ROUTES.filter(
      ({ path }) => path.startsWith("/api/console/test/") && path.includes(":id"),
    );
    expect(naming.length).toBeGreaterThanOrEqual(7);
    for (const { path, methods } of naming) {
      const address = withOwnedId(path);
      expect(address).not.toContain(":id");
      for (const method of methods) {
        const reads = method === "GET" || method === "HEAD";
        const body = reads ? null : JSON.stringify({ webhook_url: "https://evil.example/" });
        const headers = { Origin: url, "Content-Type": "application/json" };
        const response = await stranger.fetch(address, { method, headers, body });
        expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} 404`);
        await response.body?.cancel();
      }
    }
    const domain = await owner.fetch(`/console/test/domains/${owned.domain}`);
    expect(domain.status).toBe(200);
    expect(await domain.text()).not.toContain("evil.example");
    const [key] = await sql(databaseUrl, "SELECT 1 FROM api_key WHERE id = $1 AND revoked_at IS NULL", [
      owned.key,
    ]);
    expect(key).toBeDefined();
  });

  test("sees no page of it, and nothing of it on any page", async () => {
    const named = PAGES.filter(({ path }) => path.startsWith("/console/test/") && path.includes(NOBODYS_ID));
    expect(named.length).toBeGreaterThan(1);
    for (const { path } of named) {
      const address = withOwnedId(path.replace(NOBODYS_ID, "[id]"));
      expect((await owner.fetch(address)).status).toBe(200);
      expect((await stranger.fetch(address)).status).toBe(404);
    }
    const filters = `?domain_id=${owned.domain}&session_id=${owned.session}`;
    for (const { path } of PAGES.filter(
      (page) => page.path.startsWith("/console/test") && !named.includes(page),
    )) {
      // The filters themselves stand in the page's own links.
      const shown = (await (await stranger.fetch(path + filters)).text()).replaceAll(
        /[?&](amp;)?(domain|session)_id=[^"&\\]*/g,
        "",
      );
      expect(shown).not.toContain("the owner&#x27;s");
      expect(shown).not.toContain(`/deliveries/${owned.delivery}`);
      expect(shown).not.toContain(`/domains/${owned.domain}`);
    }
  });

  test("has the same at the other mode's base: nothing", async () => {
    for (const { path, method } of OPERATIONS.filter(
      (one) => one.path.includes(":id") && one.method !== "GET",
    )) {
      const address = withOwnedId(`/api/console/live${path}`);
      const response = await owner.fetch(address, {
        method,
        headers: { Origin: url, "Content-Type": "application/json" },
        body: JSON.stringify({ webhook_url: "https://evil.example/" }),
      });
      expect(`${method} ${address} ${response.status}`).toBe(`${method} ${address} 404`);
      await response.body?.cancel();
    }
  });
});
