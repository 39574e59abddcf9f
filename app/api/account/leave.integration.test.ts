import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { createCodes, createUserWithCodes, startRecovery } from "#e2e/support/recovery.ts";
import { dumpDatabase } from "#e2e/support/secret-scan.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { countRequests } from "#tools/kit/sql.ts";

const LOCK_USER = "SELECT 1 FROM user_account WHERE id = $1 FOR UPDATE";
const leave = (browser: Client) => browser.delete("/api/account");
const readExport = (browser: Client) => browser.fetch("/api/account/export");

const addHistory = (userId: number | null, lines: number) =>
  query(
    `INSERT INTO login_event (at, kind, user_id, reason)
     SELECT now(), 'session_ended', $1::int, 'line ' || number FROM generate_series(1, $2::int) AS number`,
    [userId, lines],
  );

describe("the export", () => {
  test("contains everything stored about its user except secrets", async () => {
    const { browser, wallet, userId, sid, codes } = await createUserWithCodes(url);
    const { key } = await (await browser.post("/api/console/test/keys", { name: "Exported" })).json();
    const recoveringBrowser = await startRecovery(url, codes[0]);
    const response = await browser.fetch("/api/account/export");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toContain("attachment");
    const text = await response.text();
    const { user, history } = JSON.parse(text);
    expect(user).toMatchObject({
      id: userId,
      credentials: [{ kind: "public_key", value: wallet.publicKey }],
      browserSessions: [{ credential: wallet.publicKey }],
      loginSessions: [{ sid }],
      recoveryCodes: [{ confirmedAt: expect.any(String) }, { confirmedAt: expect.any(String) }],
      recoveries: [{ openedAt: expect.any(String), finishedAt: null, cancelledAt: null }],
      owner: { apiKeys: [{ name: "Exported" }], domains: [] },
    });
    expect(history.map(({ kind }: { kind: string }) => kind)).toContain("recovery_codes_made");
    const cookies = [browser, recoveringBrowser].flatMap((client) => [...client.cookies.values()]);
    for (const secret of [key, ...codes, ...cookies]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/hash|"mac"|"secret"/i);
    const [login] = await query<{ undo: string }>(
      "SELECT encode(undo_hash, 'hex') AS undo FROM login_session WHERE sid = $1",
      [sid],
    );
    expect(text).not.toContain(login?.undo);
  });

  test("lists 100,000 history entries in order and without duplicates", async () => {
    const { browser, userId } = await signInBrowser(url);
    await addHistory(userId, 100_000);
    const { history } = await (await readExport(browser)).json();
    const lines = history.flatMap(({ reason }: { reason: string | null }) => reason ?? []);
    expect(lines).toEqual(Array.from({ length: 100_000 }, (_, index) => `line ${index + 1}`));
  });

  test("contains every known browser and recovery, no matter how many there are", async () => {
    const { browser, userId } = await signInBrowser(url);
    await query(
      `INSERT INTO known_browser (user_id, hash, last_seen_at)
       SELECT $1::int, sha256(number::text::bytea), now() FROM generate_series(1, 450) AS number`,
      [userId],
    );
    await query(
      `INSERT INTO recovery (id, user_id, code_id, secret_hash, opened_at, expires_at)
       SELECT gen_random_uuid(), $1::int, gen_random_uuid(), sha256(number::text::bytea || $1::text::bytea), now(), now()
       FROM generate_series(1, 450) AS number`,
      [userId],
    );
    const { user } = await (await readExport(browser)).json();
    // An account has at most 200 known browsers.
    expect(user.knownBrowsers).toHaveLength(200);
    expect(new Set(user.recoveries.map(({ id }: { id: string }) => id)).size).toBe(450);
  });

  test("is sent to only one client per user at a time", async () => {
    const { browser, userId } = await signInBrowser(url);
    await addHistory(userId, 100_000);
    const first = await readExport(browser);
    const refusal = await readExport(browser);
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
    await expectApiError(refusal, 429, "rate_limited");
    expect((await readExport((await signInBrowser(url)).browser)).status).toBe(200);
    await first.body?.cancel();
    await expect.poll(async () => (await readExport(browser)).status).toBe(200);
    const counters = await query("SELECT points FROM rate_limit WHERE key = $1", [
      `account-export:${userId}`,
    ]);
    // A refused export is not counted.
    expect(counters).toEqual([{ points: 2 }]);
  });

  test("stops when its browser session ends", async () => {
    const { browser, wallet, userId } = await signInBrowser(url);
    await addHistory(userId, 100_000);
    const stolen = await readExport(browser);
    const other = await signInBrowser(url, wallet);
    expect((await other.browser.delete("/api/account/sessions")).status).toBe(204);
    await expect(stolen.text()).rejects.toThrow();
  });

  test("sends an error page to browsers and JSON to programs after the session has ended", async () => {
    const { browser } = await signInBrowser(url);
    const asPerson = { headers: { Accept: "text/html,application/xhtml+xml" } };
    await browser.signOut();
    const page = await browser.fetch("/api/account/export", asPerson);
    expect([page.status, page.headers.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
    const text = await page.text();
    expect(text).toContain("Your sign-in has ended");
    expect(text).toContain('href="/login?callbackUrl=%2Fdashboard"');
    await expectApiError(await readExport(browser), 401, "not_signed_in");
  });
});

describe("deleting the account", () => {
  test("removes its browsers, keys, codes, API keys and history", async () => {
    const { browser, wallet, userId } = await signInBrowser(url);
    const other = await signInBrowser(url, wallet);
    const { id, key } = await (await browser.post("/api/console/test/keys", { name: "Left" })).json();
    await createCodes(browser);
    expect((await browser.fetch("/api/svc/qr?intent=add")).status).toBe(200);
    expect((await leave(browser)).status).toBe(204);
    for (const client of [browser, other.browser]) expect(await readUserId(client)).toBeNull();
    const api = { headers: { Authorization: `Bearer ${key}` } };
    await expectApiError(await new Client(url).fetch("/sandbox/v1/sessions", api), 401, "invalid_api_key");
    for (const [table, rows] of await dumpDatabase(databaseUrl)) {
      expect({ table, kept: rows.includes(wallet.publicKey) || rows.includes(id) }).toEqual({
        table,
        kept: false,
      });
    }
    const tables = [
      "login_event",
      "recovery_code",
      "browser_session",
      "login_session",
      "known_browser",
      "owner",
    ];
    for (const table of tables) {
      expect(await query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [userId]), table).toEqual([]);
    }
    const { challenge } = await requestQr(new Client(url));
    const lateResponse = await new Client(url).post("/webhook/login", wallet.response(challenge));
    await expectApiError(lateResponse, 404, "user_not_found");
    expect((await signInBrowser(url, wallet)).userId).not.toBe(userId);
  });

  test("ends all access immediately, even if the account has a long history", async () => {
    const { browser, wallet, userId } = await signInBrowser(url);
    await query(
      "INSERT INTO login_event (at, kind, user_id) SELECT now(), 'session_ended', $1::int FROM generate_series(1, 11000)",
      [userId],
    );
    expect((await leave(browser)).status).toBe(204);
    expect(await readUserId(browser)).toBeNull();
    const remainingRows = `SELECT (SELECT count(*) FROM login_event WHERE user_id = $1)::int AS lines,
      (SELECT count(*) FROM user_account WHERE id = $1)::int AS users`;
    await expect.poll(() => query(remainingRows, [userId])).toEqual([{ lines: 0, users: 0 }]);
    expect((await signInBrowser(url, wallet)).userId).not.toBe(userId);
  });

  test("returns 204 for each of two simultaneous requests", async () => {
    const { browser, userId } = await signInBrowser(url);
    const lock = await holdLock(databaseUrl, LOCK_USER, [userId]);
    const leaving = [leave(browser), leave(browser)];
    await lock.waiting(2);
    await lock.release();
    expect((await Promise.all(leaving)).map(({ status }) => status)).toEqual([204, 204]);
    const findUser = "SELECT 1 FROM user_account WHERE id = $1";
    await expect.poll(() => query(findUser, [userId])).toEqual([]);
  });

  test("also removes an API key that is created at the same time", async () => {
    const { browser, userId } = await signInBrowser(url);
    const lock = await holdLock(databaseUrl, LOCK_USER, [userId]);
    const leaving = leave(browser);
    await lock.waiting(1);
    const keyCreation = browser.post("/api/console/test/keys", { name: "Late" });
    await lock.waiting(2);
    await lock.release();
    expect((await leaving).status).toBe(204);
    // PostgreSQL might let either transaction continue first.
    const response = await keyCreation;
    if (response.status !== 201) return void (await expectApiError(response, 401, "not_signed_in"));
    const { key } = await response.json();
    const api = { headers: { Authorization: `Bearer ${key}` } };
    await expectApiError(await new Client(url).fetch("/sandbox/v1/sessions", api), 401, "invalid_api_key");
  });

  test("is refused, with a reason, while the user has a registered domain", async () => {
    const { browser, userId } = await signInBrowser(url);
    const domain = `d${crypto.randomUUID()}.example.com`;
    const createdDomain = await browser.post("/api/console/test/domains", {
      domain,
      webhook_url: `https://${domain}/events`,
    });
    const { id } = await createdDomain.json();
    const refusal = await leave(browser);
    expect(await refusal.clone().text()).toContain("Delete them in the console first");
    await expectApiError(refusal, 409, "domains_registered");
    expect(await readUserId(browser)).toBe(userId);
    expect((await browser.delete(`/api/console/test/domains/${id}`)).status).toBe(204);
    expect((await leave(browser)).status).toBe(204);
  });
});

test("limits a user's exports across all IP addresses", async () => {
  const { browser, wallet, userId } = await signInBrowser(url);
  await countRequests(databaseUrl, { limit: "account-export", caller: String(userId), count: 9 });
  expect((await readExport(browser)).status).toBe(200);
  await expectApiError(await readExport(browser), 429, "rate_limited");
  const otherBrowser = await signInBrowser(url, wallet);
  await expectApiError(await readExport(otherBrowser.browser), 429, "rate_limited");
  expect((await readExport((await signInBrowser(url)).browser)).status).toBe(200);
  // A thief who exports continuously cannot use up the limit for signing out everywhere.
  expect((await otherBrowser.browser.delete("/api/account/sessions")).status).toBe(204);
});

test("limits a client's account requests, whether it is signed in or not", async () => {
  const stranger = new Client(url);
  await countRequests(databaseUrl, { limit: "account", caller: stranger.address, count: 119 });
  const last = await readExport(stranger);
  expect([last.status, last.headers.get("ratelimit-limit")]).toEqual([401, "120"]);
  const refusal = await stranger.delete("/api/account/recovery");
  expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
  await expectApiError(refusal, 429, "rate_limited");
  // A request from another site is refused before it is counted.
  const planted = { method: "DELETE", headers: { Origin: "https://evil.example" } };
  await expectApiError(await stranger.fetch("/api/account/recovery", planted), 403, "forbidden");
});
