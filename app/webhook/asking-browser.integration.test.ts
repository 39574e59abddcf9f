import { describe, expect, test } from "vitest";
import { z } from "zod";
import { addCredential, findLatestSessionPath } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { answerChallenge, approve, requestApproval } from "#e2e/support/approval.ts";
import { databaseUrl, KNOWN_BROWSER_COOKIE, otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { answerRegistration, readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { backdateLogin, countRequests } from "#tools/kit/sql.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/** Covers cases that the conformance kit does not check (sections 11.1 and 11.2). */

const JSON_ONLY = { headers: { Accept: "application/json" } };
const Answered = z.object({ new_browser: z.boolean(), undo: z.url() });

async function shownCode(mode = "login", browser = new Client(url)) {
  return { browser, mode, ...(await requestQr(browser, mode)) };
}
type ShownCode = Awaited<ReturnType<typeof shownCode>>;

const ask = ({ mode, sid, challenge }: Omit<ShownCode, "browser">, wallet = new Client(url)) =>
  wallet.fetch(`/webhook/${mode}?${new URLSearchParams({ s: sid, c: challenge })}`, JSON_ONLY);

async function answer({ mode, challenge }: ShownCode, wallet = new TestWallet()) {
  const response = await new Client(url).post(`/webhook/${mode}`, wallet.response(challenge));
  return Answered.parse(await (await expectStatus(response)).json());
}

async function signedInBy(wallet: TestWallet, browser = new Client(url)) {
  const code = await shownCode("login", browser);
  const answered = await answer(code, wallet);
  await expectStatus(await browser.signIn("svc", code.sid));
  return { browser, sid: code.sid, ...answered };
}

const undo = (address: string) => new Client(url).fetch(address, { method: "POST" });

describe("a wallet that asks about the requesting browser before it signs", () => {
  test("can see whether the code was requested from its own network", async () => {
    const code = await shownCode();
    const same = new Client(url, code.browser.address);
    expect((await (await ask(code, same)).json()).network).toBe("same");
    expect((await (await ask(code, new Client(otherUrl))).json()).network).toBe("other");
    const v6 = await shownCode("login", new Client(url, "2001:db8:1:2::7"));
    expect((await (await ask(v6, new Client(url, "2001:db8:1:2:ffff::1"))).json()).network).toBe("same");
    expect((await (await ask(v6, new Client(url, "2001:db8:1:3::7"))).json()).network).toBe("other");
  });

  test("gets an error for a malformed code", async () => {
    const code = await shownCode("register");
    for (const hostile of ["\ud800", "x".repeat(3000)]) {
      await expectApiError(await ask({ ...code, sid: hostile }), 408, "challenge_expired");
      await expectApiError(await ask({ ...code, challenge: hostile }), 408, "challenge_expired");
      const hosted = `/webhook/sessions/x?${new URLSearchParams({ s: "x", c: hostile })}`;
      await expectApiError(await new Client(url).fetch(hosted, JSON_ONLY), 408, "challenge_expired");
    }
    await expectApiError(await ask({ ...code, sid: "\0" }), 400, "invalid_request");
    const bare = await new Client(url).fetch("/webhook/register", JSON_ONLY);
    await expectApiError(bare, 408, "challenge_expired");
  });

  test("gets 408 for a code whose browser session has ended", async () => {
    const { browser, userId } = await signInBrowser(url);
    const code = await requestApproval(browser);
    const end = "UPDATE browser_session SET expires_at = now() - interval '1 minute' WHERE user_id = $1";
    await query(end, [userId]);
    await expectApiError(await ask({ mode: "login", ...code }), 408, "challenge_expired");
  });
});

describe("the known-browser cookie", () => {
  test("contains only 128 random bits, which are stored as a hash", async () => {
    const browser = new Client(url);
    const response = await browser.fetch("/api/svc/qr");
    const line = response.headers.getSetCookie().find((cookie) => cookie.includes("svc-known-browser="));
    expect(line?.replace(/=[A-Za-z0-9_-]{22};/, "=;")).toBe(
      `${KNOWN_BROWSER_COOKIE}=; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`,
    );
    const knownBrowser = browser.cookies.get(KNOWN_BROWSER_COOKIE) ?? "";
    const { sid } = await response.json();
    const [row] = await query(
      "SELECT known_browser_hash = sha256($2::bytea) AS hashed FROM login_session WHERE sid = $1",
      [sid, Buffer.from(knownBrowser)],
    );
    expect(row?.hashed).toBe(true);
  });

  test("does not grant access to a client that has copied it", async () => {
    const { browser } = await signInBrowser(url);
    const thief = new Client(url);
    thief.cookies.set(KNOWN_BROWSER_COOKIE, browser.cookies.get(KNOWN_BROWSER_COOKIE) ?? "");
    expect(await readUserId(thief)).toBeNull();
  });
});

describe("undoing a login", () => {
  test("also ends the sessions that were opened by approvals", async () => {
    const { wallet, browser: ownBrowser } = await signInBrowser(url);
    const { browser, undo: address } = await signedInBy(wallet);
    for (let round = 0; round < 2; round++) expect((await approve(browser, wallet)).status).toBe(200);
    const { challenge } = await requestApproval(browser);
    expect((await undo(address)).status).toBe(200);
    expect(await readUserId(browser)).toBeNull();
    // The wallet also cannot answer a QR code that the signed-out browser had requested.
    expect((await answerChallenge(url, wallet, challenge)).status).toBe(408);

    const approval = await requestApproval(ownBrowser);
    const response = await answerChallenge(url, wallet, approval.challenge);
    const { undo: ofApproval } = Answered.parse(await response.json());
    await ownBrowser.signIn("svc", approval.sid);
    expect((await undo(ofApproval)).status).toBe(200);
    expect(await readUserId(ownBrowser)).toBeNull();
  });

  test("lets the account's other browsers remove the sign-in methods that the login added", async () => {
    const { wallet, browser: ownBrowser } = await signInBrowser(url);
    const { browser: thief, undo: address } = await signedInBy(wallet);
    const path = await addCredential(thief, new TestWallet());
    await expectStatus(await thief.post("/api/console/live/keys", { name: "Left behind" }), 201);
    const readRemaining = async () =>
      /A sign-in that you undid left changes behind.*?<\/li>/s.exec(
        await (await ownBrowser.fetch("/dashboard")).text(),
      )?.[0];
    expect(await readRemaining()).toBeUndefined();
    expect((await undo(address)).status).toBe(200);
    expect(await readRemaining()).toMatch(/Wallet added.*API key created: Left behind.*Not me/s);
    expect((await ownBrowser.fetch(path, { method: "DELETE" })).status).toBe(204);
    expect(await readRemaining()).not.toContain("Wallet added");
    expect(await readRemaining()).toContain("Left behind");
  });

  test("leaves no browser signed in if the login is redeemed at the same time", async () => {
    const { wallet } = await answerRegistration(url);
    for (let round = 0; round < 5; round++) {
      const code = await shownCode();
      const { undo: address } = await answer(code, wallet);
      const copies = [code.browser.copy(), code.browser.copy(otherUrl)];
      const [first, second] = await Promise.all([
        ...[undo(address), undo(address.replace(url, otherUrl))],
        ...copies.map((copy) => copy.signIn("svc", code.sid)),
      ]);
      expect([first?.status, second?.status]).toEqual([200, 200]);
      for (const copy of copies) expect(await readUserId(copy), `round ${round}`).toBeNull();
      const entries = "SELECT 1 FROM login_event WHERE sid = $1 AND kind = 'undone'";
      expect(await query(entries, [code.sid])).toHaveLength(1);
    }
  });

  test("succeeds while the browser is renewing its session", async () => {
    const { wallet } = await answerRegistration(url);
    for (let round = 0; round < 5; round++) {
      const { browser, undo: address } = await signedInBy(wallet);
      const approval = await requestApproval(browser);
      await answerChallenge(url, wallet, approval.challenge);
      await Promise.all([undo(address), browser.signIn("svc", approval.sid)]);
      expect(await readUserId(browser), `round ${round}`).toBeNull();
    }
  });

  test("is possible for ten minutes", async () => {
    const code = await shownCode("register");
    const { undo: address } = await answer(code);
    await backdateLogin(databaseUrl, code.sid, 601);
    await expectApiError(await undo(address), 404, "session_not_found");
    await expectApiError(await undo(`${url}/webhook/undo`), 404, "session_not_found");
  });

  test("asks for confirmation after a GET request, without showing details of the login", async () => {
    const { wallet } = await answerRegistration(url);
    const { browser, sid, undo: address } = await signedInBy(wallet);
    const page = await new Client(url).fetch(address, { headers: { Accept: "text/html" } });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    const html = await page.text();
    expect(html).toContain('<form method="post">');
    expect(html).not.toContain(sid);
    expect(await readUserId(browser)).not.toBeNull();
    // Sends the same request as the page's form.
    const form = { method: "POST", headers: { Accept: "text/html,*/*;q=0.8" } };
    const done = await new Client(url).fetch(address, form);
    expect([done.status, done.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await done.text()).toContain("That browser is signed out");
    expect(await readUserId(browser)).toBeNull();
    const none = await new Client(url).fetch(`${address}x`, form);
    expect(none.status).toBe(404);
    expect(await none.text()).toContain("This can no longer be undone");
  });
});

test.each(["webhook-login", "webhook-undo"])(
  "limits questions about a code and attempts to undo a login to 120 a minute per IP address: %s",
  async (limit) => {
    const [code, wallet] = [await shownCode(), new Client(url)];
    const undoNothing = () => wallet.fetch("/webhook/undo?s=x&t=y", { method: "POST" });
    const send = () => (limit === "webhook-login" ? ask(code, wallet) : undoNothing());
    await countRequests(databaseUrl, { limit, caller: wallet.address, count: 119 });
    const last = await send();
    expect([last.status === 429, last.headers.get("ratelimit-remaining")]).toEqual([false, "0"]);
    await expectApiError(await send(), 429, "rate_limited");
  },
);

test.each([
  "its wallet undoes the login",
  "another browser signs it out",
  "another browser signs it out, days after the login",
])("announces a browser as new again after it has been signed out remotely: %s", async (how) => {
  const { browser: ownBrowser, wallet, userId } = await signInBrowser(url);
  const browser = new Client(url);
  for (let round = 0; round < 2; round++) {
    const login = await signedInBy(wallet, browser);
    expect(login.new_browser).toBe(true);
    // After a day, the login session has been deleted.
    if (how.endsWith("days after the login"))
      await query("DELETE FROM login_session WHERE sid = $1", [login.sid]);
    if (how.startsWith("its wallet")) expect((await undo(login.undo)).status).toBe(200);
    else expect((await ownBrowser.delete(await findLatestSessionPath(databaseUrl, userId))).status).toBe(204);
  }
});

const announced = async (reader: Client) =>
  (await (await reader.fetch("/dashboard")).text()).includes("A new browser signed in");

test("announces every new browser except the first to the account's other browsers", async () => {
  const { browser, wallet } = await signInBrowser(url);
  expect(await announced(browser)).toBe(false);
  const { browser: second } = await signedInBy(wallet);
  expect([await announced(browser), await announced(second)]).toEqual([true, false]);
  await signedInBy(wallet, browser);
  expect(await announced(second)).toBe(false);
});

test("announces a new browser that approves with a copied session token", async () => {
  const { browser, wallet, userId } = await signInBrowser(url);
  const { browser: other } = await signedInBy(wallet);
  const copy = browser.copy();
  copy.cookies.delete(KNOWN_BROWSER_COOKIE);
  expect((await approve(copy, wallet)).status).toBe(200);
  const [approved] = await query<{ id: string; subject: string }>(
    "SELECT id::text AS id, subject FROM login_event WHERE user_id = $1 AND kind = 'approved'",
    [userId],
  );
  expect((await (await other.fetch("/dashboard")).text()).includes(String(approved?.subject))).toBe(false);
  expect(await announced(other)).toBe(true);
  await other.post("/api/account/changes/dismiss", { ids: [approved?.id] });
  expect(await announced(other)).toBe(false);
});
