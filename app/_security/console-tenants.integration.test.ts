import { beforeAll, describe, expect, test } from "vitest";
import { Customer } from "#e2e/support/customer.ts";
import { PAGES, UNKNOWN_ID } from "#e2e/support/endpoints.ts";
import { query, url } from "#e2e/support/test-apps.ts";
import { OPERATIONS } from "#lib/hosted/contract/operations.ts";
import { API_ROUTES } from "#lib/routes/api-routes.ts";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

let owner: Client;
let stranger: Client;
/** Keyed by path segment. */
let owned: Record<"domains" | "sessions" | "deliveries" | "keys", string>;

beforeAll(async () => {
  owner = (await signInBrowser(url)).browser;
  stranger = (await signInBrowser(url)).browser;
  const { id: key, key: text } = await change(owner, "/keys", { name: "the owner's" });
  const name = `d${Date.now()}.example`;
  const { id: domain } = await change(owner, "/domains", { domain: name, webhook_url: `https://${name}/` });
  const api = new Customer(url, { mode: "test", tenantId: "", apiKeyId: "", key: String(text) });
  const { id: session, challenge } = await api.createSession(name);
  await new Client(url).post(`/webhook/sessions/${session}`, new TestWallet().response(challenge));
  const [event] = await query("SELECT id FROM webhook_event WHERE sid = $1", [session]);
  owned = { domains: String(domain), sessions: session, deliveries: String(event?.id), keys: String(key) };
});

async function change(client: Client, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await client.post(`/api/console/test${path}`, body, { Origin: url });
  return (await expectStatus(response, 201)).json();
}

function withOwnedId(path: string): string {
  return path.replace(
    /\/(domains|sessions|deliveries|keys)\/(?::id|\[id\])/,
    (_match, noun: keyof typeof owned) => `/${noun}/${owned[noun]}`,
  );
}

async function expectNotFound(client: Client, method: string, path: string): Promise<void> {
  expect(path).not.toContain(":id");
  const reads = method === "GET" || method === "HEAD";
  const body = reads ? null : JSON.stringify({ webhook_url: "https://evil.example/" });
  const headers = { Origin: url, "Content-Type": "application/json" };
  const response = await client.fetch(path, { method, headers, body });
  expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} 404`);
  await response.body?.cancel();
}

describe("a console URL with the id of another tenant's data", () => {
  test("returns 404 at every API route, as for an unknown id", async () => {
    const naming = API_ROUTES.filter(
      ({ path }) => path.startsWith("/api/console/test/") && path.includes(":id"),
    );
    expect(naming.length).toBeGreaterThanOrEqual(7);
    for (const { path, methods } of naming) {
      for (const method of methods) await expectNotFound(stranger, method, withOwnedId(path));
    }
    const domain = await owner.fetch(`/console/test/domains/${owned.domains}`);
    expect(domain.status).toBe(200);
    expect(await domain.text()).not.toContain("evil.example");
    const lives = "SELECT 1 FROM api_key WHERE id = $1 AND revoked_at IS NULL";
    expect(await query(lives, [owned.keys])).toHaveLength(1);
  });

  test("does not show the owner's data on any page", async () => {
    const pages = PAGES.filter(({ path }) => path.startsWith("/console/test/") && path.includes(UNKNOWN_ID));
    expect(pages.length).toBeGreaterThan(1);
    for (const { path } of pages) {
      const address = withOwnedId(path.replace(UNKNOWN_ID, "[id]"));
      expect((await owner.fetch(address)).status).toBe(200);
      expect((await stranger.fetch(address)).status).toBe(404);
    }
    const filters = `?domain_id=${owned.domains}&session_id=${owned.sessions}`;
    const others = PAGES.filter((page) => page.path.startsWith("/console/test") && !pages.includes(page));
    for (const { path } of others) {
      const page = await (await stranger.fetch(path + filters)).text();
      // The page's own links repeat the filters, so they are removed.
      const pageText = page.replaceAll(/[?&](amp;)?(domain|session)_id=[^"&\\]*/g, "");
      expect(pageText).not.toContain("the owner&#x27;s");
      expect(pageText).not.toContain(`/deliveries/${owned.deliveries}`);
      expect(pageText).not.toContain(`/domains/${owned.domains}`);
    }
  });

  test("returns 404 for test data in live mode, even to the owner", async () => {
    const changes = OPERATIONS.filter(({ path, method }) => path.includes(":id") && method !== "GET");
    for (const { path, method } of changes) {
      await expectNotFound(owner, method, withOwnedId(`/api/console/live${path}`));
    }
  });
});
