import { describe, expect, test } from "vitest";
import { addCredential, signOutEverywhere } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { readUserId, signInBrowser } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const NOTICE = "happened since you were last here";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function dashboard(browser: Client): Promise<string> {
  const response = await browser.fetch("/dashboard");
  expect(response.status).toBe(200);
  return response.text();
}

async function notice(browser: Client): Promise<string | null> {
  const section = /<section aria-labelledby="changes"[^>]*>(.*?)<\/section>/s.exec(
    await dashboard(browser),
  )?.[1];
  return section?.replaceAll(/<!--.*?-->|<svg.*?<\/svg>/gs, "").replaceAll(/<[^>]+>/g, "") ?? null;
}

async function browsers() {
  const { wallet, userId, browser: first } = await signInBrowser(url);
  const [second, third] = [
    (await signInBrowser(url, wallet)).browser,
    (await signInBrowser(url, wallet)).browser,
  ];
  return { wallet, userId, first, second, third };
}

async function createKey(
  browser: Client,
  name: string,
  headers: Record<string, string> = {},
): Promise<{ id: string; key: string }> {
  const response = await browser.post("/api/console/live/keys", { name }, headers);
  expect(response.status).toBe(201);
  return response.json();
}

const CHANGES = "kind NOT IN ('issued', 'delivered', 'session_created')";

async function entryIds(userId: number | null, condition = CHANGES): Promise<string[]> {
  const entries = `SELECT id FROM login_event WHERE user_id = $1 AND ${condition} ORDER BY id`;
  return (await query<{ id: string }>(entries, [userId])).map(({ id }) => id);
}

const dismiss = (browser: Client, ids: unknown, headers: Record<string, string> = {}) =>
  browser.post("/api/account/changes/dismiss", { ids }, headers);

describe("a change to the account", () => {
  test("is shown in all of the user's browsers, including the one that made it", async () => {
    const { first, second, third } = await browsers();
    const bystander = await signInBrowser(url);
    // The thief uses a copy of the first browser's cookies in another browser.
    const thief = { "User-Agent": FIREFOX };
    await addCredential(first.copy(), new TestWallet(), thief);
    await createKey(first.copy(), "Laptop", thief);
    for (const browser of [first, second, third]) {
      const noticeText = await notice(browser);
      expect(noticeText).toContain(NOTICE);
      expect(noticeText).toContain("Wallet added: a wallet on iOS");
      expect(noticeText).toMatch(/API key created: Laptop \(svc_live_[\w-]{4}…\)/);
      expect(noticeText).toContain("Firefox on Linux");
    }
    expect(await notice(bystander.browser)).toBeNull();
  });

  test("is shown for every kind of change", async () => {
    const { first, second } = await browsers();
    const addedWallet = new TestWallet();
    await first.delete(await addCredential(first, addedWallet));
    const { id } = await createKey(first, "Server");
    await first.delete(`/api/console/live/keys/${id}`);
    const domain = `d${crypto.randomUUID()}.example.com`;
    const webhook_url = "https://shop.example.com/events";
    const createdDomain = await (
      await first.post("/api/console/test/domains", { domain, webhook_url })
    ).json();
    const path = `/api/console/test/domains/${createdDomain.id}`;
    await first.fetch(`${path}/rotate-secret`, { method: "POST" });
    await first.patch(path, { webhook_url: "https://shop.example.com/other" });
    await first.delete(path);
    const secondNotice = await notice(second);
    expect(secondNotice).toContain(`Wallet removed: ${addedWallet.fingerprint()}`);
    expect(secondNotice).toContain("API key revoked: Server (svc_live_");
    for (const what of ["Webhook secret replaced", "Webhook URL changed", "Domain deleted"]) {
      expect(secondNotice).toContain(`${what}: ${domain} (test)`);
    }
  });

  test("can be dismissed only by the account's user, and only from the site's own pages", async () => {
    const { wallet, userId, first, second } = await browsers();
    await createKey(first, "Laptop");
    const ids = await entryIds(userId);
    const stranger = (await signInBrowser(url)).browser;
    expect((await dismiss(stranger, ids)).status).toBe(204);
    // A browser that signs in later also shows the change.
    expect(await notice((await signInBrowser(url, wallet)).browser)).toContain("Laptop");
    await expectApiError(await dismiss(new Client(url), ids), 401, "not_signed_in");
    await expectApiError(await dismiss(second, ids, { Origin: "https://evil.example" }), 403, "forbidden");
    expect(await notice(second)).toContain("Laptop");
  });

  test("is not dismissed by a request that lists no entries", async () => {
    const { browser } = await signInBrowser(url);
    const none = [null, "1", [1], ["1 OR 1=1"], ["0"], ["99999999999999999999"], Array(101).fill("1")];
    for (const ids of none) await expectApiError(await dismiss(browser, ids), 400, "invalid_request");
  });
});

describe("signing out everywhere", () => {
  const works = async (key: string) =>
    (await new Client(url).fetch("/v1/domains", { headers: { Authorization: `Bearer ${key}` } })).status ===
    200;

  test("revokes the API keys only if requested", async () => {
    const wallet = new TestWallet();
    const { browser, userId } = await signInBrowser(url, wallet);
    const { key } = await createKey(browser, "Laptop");
    const sandbox = await (await browser.post("/api/console/test/keys", { name: "Trial" })).json();
    const others = await signInBrowser(url);
    const othersKey = await createKey(others.browser, "Theirs");
    expect(await dashboard(browser)).toContain("Sign out everywhere");
    expect((await signOutEverywhere(browser)).status).toBe(204);
    expect(await works(key)).toBe(true);

    const second = (await signInBrowser(url, wallet)).browser;
    expect(await notice(second)).toContain("Signed out everywhere");
    expect((await signOutEverywhere(second, "?api_keys=revoke")).status).toBe(204);
    expect(await readUserId(second)).toBeNull();
    expect(await works(key)).toBe(false);
    expect(await works(othersKey.key)).toBe(true);
    const revoked = "SELECT 1 FROM api_key WHERE id = $1 AND revoked_at IS NOT NULL";
    expect(await query(revoked, [sandbox.id])).toHaveLength(1);
    const third = (await signInBrowser(url, wallet)).browser;
    expect(await notice(third)).toMatch(/API key revoked: (Laptop|Trial)/);
    expect(await readUserId(third)).toBe(userId);
  });

  test("also revokes an API key that a thief creates at the same time", async () => {
    for (let round = 0; round < 4; round++) {
      const wallet = new TestWallet();
      const { browser } = await signInBrowser(url, wallet);
      const thief = (await signInBrowser(url, wallet)).browser;
      // Creating the first key also creates the console's tenant.
      await createKey(thief, "First");
      const changes: string[] = [];
      let isOver = false;
      const loops = [url, otherUrl, url, otherUrl].map(async (at) => {
        const copy = thief.copy(at);
        while (!isOver) {
          const response = await copy.post("/api/console/live/keys", { name: "Thief" });
          if (response.status !== 201) return;
          changes.push((await response.json()).key);
        }
      });
      const signOut = await signOutEverywhere(browser, "?api_keys=revoke");
      await Promise.all(loops);
      isOver = true;
      expect(signOut.status).toBe(204);
      for (const key of changes) expect(await works(key)).toBe(false);
    }
  });

  test("rejects an unknown choice for the API keys without signing out any browser", async () => {
    const { browser, userId } = await signInBrowser(url);
    await expectApiError(await signOutEverywhere(browser, "?api_keys=keep"), 400, "invalid_request");
    expect(await readUserId(browser)).toBe(userId);
  });
});
