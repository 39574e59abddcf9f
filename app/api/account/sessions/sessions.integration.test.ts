import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { signedIn, userIdOf } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const TOKEN = "next-auth.session-token";

/** The user's sessions, oldest first. */
async function sessionIds(userId: number | null): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    databaseUrl,
    "SELECT id FROM browser_session WHERE user_id = $1 ORDER BY created_at",
    [userId],
  );
  return rows.map(({ id }) => id);
}

async function twoBrowsersOfOneUser() {
  const wallet = new TestWallet();
  const first = await signedIn(url, wallet);
  const second = await signedIn(url, wallet);
  const [firstId = "", secondId = ""] = await sessionIds(first.userId);
  return { first: { ...first, id: firstId }, second: { ...second, id: secondId } };
}

function end(browser: Client, path = "", headers: Record<string, string> = { Origin: url }) {
  return browser.fetch(`/api/account/sessions${path}`, { method: "DELETE", headers });
}

/** Whether the browser gets to the restricted page, in the other process. */
async function entersDashboard(browser: Client): Promise<boolean> {
  const elsewhere = browser.copy(otherUrl);
  const response = await elsewhere.fetch("/dashboard");
  await response.body?.cancel();
  if (response.status !== 200) expect(response.headers.get("location")).toContain("/login");
  return response.status === 200;
}

describe("a session", () => {
  test("opens the restricted page; none does not", async () => {
    const { browser } = await signedIn(url);
    expect(await entersDashboard(browser)).toBe(true);
    expect(await entersDashboard(new Client(url))).toBe(false);
  });

  test("is over after sign-out: the token that a thief kept is refused everywhere", async () => {
    const { browser, userId } = await signedIn(url);
    const thief = browser.copy();
    const token = browser.cookies.get(TOKEN) ?? "";
    expect((await browser.signOut()).status).toBe(200);
    expect(browser.cookies.has(TOKEN)).toBe(false);
    expect(await sessionIds(userId)).toEqual([]);
    expect(await userIdOf(thief)).toBeNull();
    // NextAuth took the cookie away: the thief puts it back.
    thief.cookies.set(TOKEN, token);
    expect(await entersDashboard(thief)).toBe(false);
    await expectApiError(await end(thief), 401, "not_signed_in");
  });

  test("stays when sign-out is asked for without the CSRF token", async () => {
    const { browser, userId } = await signedIn(url);
    await browser.postForm("/api/auth/signout", { csrfToken: "wrong", json: "true" });
    expect(await sessionIds(userId)).toHaveLength(1);
  });

  test("is over once its time is", async () => {
    const { browser, userId } = await signedIn(url);
    await sql(
      databaseUrl,
      "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1",
      [userId],
    );
    expect(await entersDashboard(browser)).toBe(false);
    await expectApiError(await end(browser), 401, "not_signed_in");
  });
});

describe("DELETE /api/account/sessions/:id", () => {
  test("revokes another browser of the user at once, and no more", async () => {
    const { first, second } = await twoBrowsersOfOneUser();
    const response = await end(first.browser, `/${second.id}`);
    expect(response.status).toBe(204);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await entersDashboard(second.browser)).toBe(false);
    expect(await userIdOf(second.browser)).toBeNull();
    expect(await entersDashboard(first.browser)).toBe(true);
  });

  test("answers 404 for the session of another user, which lives on", async () => {
    const mine = await signedIn(url);
    const theirs = await signedIn(url);
    const [id] = await sessionIds(theirs.userId);
    await expectApiError(await end(mine.browser, `/${id}`), 404, "session_not_found");
    expect(await userIdOf(theirs.browser)).toBe(theirs.userId);
  });

  test.each(["unknown", "00000000-0000-0000-0000-000000000000", "%F0%9F%99%82", "__proto__", "' OR 1=1"])(
    "answers 404 for the id %s",
    async (id) => {
      const { browser } = await signedIn(url);
      await expectApiError(await end(browser, `/${id}`), 404, "session_not_found");
    },
  );

  test("answers 401 to nobody", async () => {
    await expectApiError(await end(new Client(url), "/x"), 401, "not_signed_in");
  });
});

describe("DELETE /api/account/sessions", () => {
  test("signs the user out everywhere, here too, and nobody else", async () => {
    const { first, second } = await twoBrowsersOfOneUser();
    const bystander = await signedIn(url);
    expect((await end(first.browser)).status).toBe(204);
    expect(await sessionIds(first.userId)).toEqual([]);
    expect(await userIdOf(first.browser)).toBeNull();
    expect(await userIdOf(second.browser)).toBeNull();
    expect(await userIdOf(bystander.browser)).toBe(bystander.userId);
  });

  test.each<Record<string, string>>([
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "http://localhost.evil.example" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ])("refuses a request that another site sends: %j", async (headers) => {
    const { browser, userId } = await signedIn(url);
    await expectApiError(await end(browser, "", headers), 403, "forbidden");
    expect(await sessionIds(userId)).toHaveLength(1);
  });
});
