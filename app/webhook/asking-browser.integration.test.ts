import { createHash } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { expectApiError } from "#e2e/support/api-error.ts";
import { answerChallenge, approve, requestApproval } from "#e2e/support/approval.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, registered, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** Who asks for a signature, and how a login is taken back (docs/protocol.md#11-who-is-asking-and-taking-it-back). */

const [url, other] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const Asked = z.strictObject({
  domain: z.literal("localhost"),
  action: z.enum(["login", "register"]),
  intent: z.enum(["add", "approve", "recover"]).nullable(),
  asked_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  browser: z.strictObject({ name: z.string() }),
  network: z.enum(["same", "other", "unknown"]),
});

const Answered = z.strictObject({
  status: z.literal("authenticated"),
  browser: z.strictObject({ name: z.string() }),
  new_browser: z.boolean(),
  undo: z.url(),
});

/** A browser that says it is Firefox, with a code on its screen. */
async function shownCode(browser = new Client(url), mode = "register") {
  const response = await browser.fetch(`/api/svc/qr?mode=${mode}`, { headers: { "User-Agent": FIREFOX } });
  const { sid, challenge } = await response.json();
  return { browser, mode, sid: String(sid), challenge: String(challenge) };
}

const JSON_ONLY = { headers: { Accept: "application/json" } };

const ask = (
  { mode, sid, challenge }: { mode: string; sid: string; challenge: string },
  wallet = new Client(url),
) => wallet.fetch(`/webhook/${mode}?${new URLSearchParams({ s: sid, c: challenge })}`, JSON_ONLY);

async function answer(code: Awaited<ReturnType<typeof shownCode>>, wallet = new TestWallet()) {
  const response = await new Client(url).post(`/webhook/${code.mode}`, wallet.response(code.challenge));
  expect(response.status).toBe(200);
  return { wallet, ...Answered.parse(await response.json()) };
}

const undo = (address: string) => new Client(url).fetch(address, { method: "POST" });

const auditEntries = (sid: string, kind: string) =>
  sql(databaseUrl, "SELECT 1 FROM login_event WHERE sid = $1 AND kind = $2::login_event_kind", [sid, kind]);

describe("before it signs, a wallet is told", () => {
  test("domain, action, browser and times, and nothing of a user or an address; the code stays as it was", async () => {
    const code = await shownCode();
    const response = await ask(code);
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("ratelimit-limit")).not.toBeNull();
    const asked = Asked.parse(await response.json());
    expect(asked).toMatchObject({ action: "register", intent: null, browser: { name: "Firefox on Linux" } });
    expect(Date.parse(asked.expires_at) - Date.parse(asked.asked_at)).toBe(30_000);
    await answer(code);
  });

  test("whether the code was asked for on its own network", async () => {
    const code = await shownCode();
    const same = new Client(url, code.browser.address);
    expect((await (await ask(code, same)).json()).network).toBe("same");
    expect((await (await ask(code)).json()).network).toBe("other");
    const v6 = await shownCode(new Client(url, "2001:db8:1:2::7"));
    expect((await (await ask(v6, new Client(url, "2001:db8:1:2:ffff::1"))).json()).network).toBe("same");
    expect((await (await ask(v6, new Client(url, "2001:db8:1:3::7"))).json()).network).toBe("other");
  });

  test("what the code is asked for instead of a login", async () => {
    const { browser } = await signedIn(url);
    const { sid, challenge } = await requestApproval(browser);
    const asked = Asked.parse(await (await ask({ mode: "login", sid, challenge })).json());
    expect(asked).toMatchObject({ action: "login", intent: "approve" });
  });

  test("the same by every process", async () => {
    const code = await shownCode();
    expect((await ask(code, new Client(other))).status).toBe(200);
  });

  test.each<[string, (code: Awaited<ReturnType<typeof shownCode>>) => Promise<unknown>]>([
    ["was answered", (code) => answer(code)],
    ["is thirty seconds old", ({ sid }) => ageLogin(databaseUrl, sid, 30)],
  ])("nothing of a code that %s", async (_what, end) => {
    const code = await shownCode();
    await end(code);
    await expectApiError(await ask(code), 408, "challenge_expired");
  });

  test("nothing at the other webhook, nor of another login's code, nor without one", async () => {
    const code = await shownCode();
    const { sid } = await shownCode();
    await expectApiError(await ask({ ...code, mode: "login" }), 408, "challenge_expired");
    await expectApiError(await ask({ ...code, sid }), 408, "challenge_expired");
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

  test("of a code whose asking browser has signed out nothing", async () => {
    const { browser } = await signedIn(url);
    const { sid, challenge } = await requestApproval(browser);
    const [row] = await sql(databaseUrl, "SELECT approves_session AS id FROM login_session WHERE sid = $1", [
      sid,
    ]);
    await sql(
      databaseUrl,
      "UPDATE browser_session SET expires_at = now() - interval '1 minute' WHERE id = $1",
      [row?.id],
    );
    await expectApiError(await ask({ mode: "login", sid, challenge }), 408, "challenge_expired");
  });

  test("in JSON only: a browser gets the page", async () => {
    const { mode, sid, challenge } = await shownCode();
    const path = `/webhook/${mode}?${new URLSearchParams({ s: sid, c: challenge })}`;
    for (const accept of ["text/html", "text/html,application/json;q=0.9", "*/*"]) {
      const page = await new Client(url).fetch(path, { headers: { Accept: accept } });
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    }
  });

  test("and 120 questions a minute are answered, as responses are", async () => {
    const code = await shownCode();
    const wallet = new Client(url);
    const first = await ask(code, wallet);
    expect(first.headers.get("ratelimit-limit")).toBe("120");
    for (let asked = 1; asked < 120; asked++) await (await ask(code, wallet)).body?.cancel();
    await expectApiError(await ask(code, wallet), 429, "rate_limited");
  });
});

describe("after it has signed, a wallet is told", () => {
  test("which browser is signed in, and that it is new to the account until it has signed in", async () => {
    const code = await shownCode();
    const first = await answer(code);
    expect(first).toMatchObject({ browser: { name: "Firefox on Linux" }, new_browser: true });
    expect(new URL(first.undo).origin).toBe(url);
    expect((await code.browser.signIn("svc", code.sid)).status).toBe(200);
    const again = await shownCode(code.browser, "login");
    expect((await answer(again, first.wallet)).new_browser).toBe(false);
    const elsewhere = await shownCode(new Client(url), "login");
    expect((await answer(elsewhere, first.wallet)).new_browser).toBe(true);
  });

  test("that a browser which knows another account is new to this one", async () => {
    const code = await shownCode();
    await answer(code);
    await code.browser.signIn("svc", code.sid);
    expect((await answer(await shownCode(code.browser))).new_browser).toBe(true);
  });

  test("a browser is known by 128 random bits alone, for a year, of which the database has a hash", async () => {
    const browser = new Client(url);
    const response = await browser.fetch("/api/svc/qr");
    const line = response.headers.getSetCookie().find((cookie) => cookie.includes("svc-known-browser="));
    expect(line?.replace(/=[A-Za-z0-9_-]{22};/, "=;")).toBe(
      "svc-known-browser=; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax",
    );
    const word = browser.cookies.get("svc-known-browser") ?? "";
    const { sid } = await response.json();
    const [row] = await sql(
      databaseUrl,
      "SELECT known_browser_hash = sha256($2::bytea) AS hashed FROM login_session WHERE sid = $1",
      [sid, Buffer.from(word)],
    );
    expect(row?.hashed).toBe(true);
  });

  test("to hold the word that an account knows opens nothing", async () => {
    const { browser } = await signedIn(url);
    const thief = new Client(url);
    thief.cookies.set("svc-known-browser", browser.cookies.get("svc-known-browser") ?? "");
    expect(await userIdOf(thief)).toBeNull();
  });
});

describe("a login is taken back", () => {
  test("before it is redeemed: nobody is signed in by it, and the page hears that it is over", async () => {
    const code = await shownCode();
    const { undo: address } = await answer(code);
    const response = await undo(address);
    expect([response.status, await response.json()]).toEqual([200, { status: "undone" }]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect((await code.browser.signIn("svc", code.sid)).status).toBe(401);
    expect(await userIdOf(code.browser)).toBeNull();
    expect(await check(code.browser, code.sid)).toMatchObject({ error: { code: "session_expired" } });
    expect(await auditEntries(code.sid, "undone")).toHaveLength(1);
  });

  test("after it was redeemed, by any process: the browser is out at its next request, others stay", async () => {
    const { wallet, browser: own } = await signedIn(url);
    const code = await shownCode(new Client(url), "login");
    const { undo: address } = await answer(code, wallet);
    await code.browser.signIn("svc", code.sid);
    expect(await userIdOf(code.browser)).not.toBeNull();
    expect((await undo(address.replace(url, other))).status).toBe(200);
    expect(await userIdOf(code.browser)).toBeNull();
    expect(await userIdOf(own)).not.toBeNull();
  });

  test("with every session that followed by approval; an approval is taken back by itself too", async () => {
    const { wallet } = await registered(url);
    const code = await shownCode(new Client(url), "login");
    const { undo: address } = await answer(code, wallet);
    await code.browser.signIn("svc", code.sid);
    for (let round = 0; round < 2; round++) expect((await approve(code.browser, wallet)).status).toBe(200);
    expect((await undo(address)).status).toBe(200);
    expect(await userIdOf(code.browser)).toBeNull();

    const { browser, wallet: another } = await signedIn(url);
    const approval = await requestApproval(browser);
    const answered = await answerChallenge(url, another, approval.challenge);
    const { undo: ofApproval } = Answered.parse(await answered.json());
    await browser.signIn("svc", approval.sid);
    expect((await undo(ofApproval)).status).toBe(200);
    expect(await userIdOf(browser)).toBeNull();
  });

  test("and its browser is new to the account again: what comes back is announced", async () => {
    const { wallet } = await signedIn(url);
    const browser = new Client(url);
    for (let round = 0; round < 2; round++) {
      const code = await shownCode(browser, "login");
      const answered = await answer(code, wallet);
      expect(answered.new_browser).toBe(true);
      expect((await browser.signIn("svc", code.sid)).status).toBe(200);
      expect((await undo(answered.undo)).status).toBe(200);
    }
  });

  test("and so is what the ended browser has asked for", async () => {
    const { wallet } = await registered(url);
    const code = await shownCode(new Client(url), "login");
    const { undo: address } = await answer(code, wallet);
    await code.browser.signIn("svc", code.sid);
    const { challenge } = await requestApproval(code.browser);
    await undo(address);
    expect((await answerChallenge(url, wallet, challenge)).status).toBe(408);
  });

  test("twice as once; redeeming and taking back at once leave nobody signed in", async () => {
    const { wallet } = await registered(url);
    for (let round = 0; round < 10; round++) {
      const code = await shownCode(new Client(url), "login");
      const { undo: address } = await answer(code, wallet);
      const copies = [code.browser.copy(), code.browser.copy(other)];
      const [first, second] = await Promise.all([
        ...[undo(address), undo(address.replace(url, other))],
        ...copies.map((copy) => copy.signIn("svc", code.sid)),
      ]);
      expect([first?.status, second?.status]).toEqual([200, 200]);
      for (const copy of copies) expect(await userIdOf(copy), `round ${round}`).toBeNull();
      expect((await undo(address)).status).toBe(200);
      expect(await auditEntries(code.sid, "undone")).toHaveLength(1);
    }
  });

  test("while its browser is renewing its session, all the same", async () => {
    const { wallet } = await registered(url);
    for (let round = 0; round < 10; round++) {
      const code = await shownCode(new Client(url), "login");
      const { undo: address } = await answer(code, wallet);
      await code.browser.signIn("svc", code.sid);
      const approval = await requestApproval(code.browser);
      await answerChallenge(url, wallet, approval.challenge);
      await Promise.all([undo(address), code.browser.signIn("svc", approval.sid)]);
      expect(await userIdOf(code.browser), `round ${round}`).toBeNull();
    }
  });

  test("for ten minutes, by its own word alone", async () => {
    const code = await shownCode();
    const { undo: address } = await answer(code);
    const { undo: another } = await answer(await shownCode());
    const foreign = new URL(address);
    foreign.searchParams.set("t", new URL(another).searchParams.get("t") ?? "");
    await expectApiError(await undo(foreign.href), 404, "session_not_found");
    foreign.searchParams.delete("t");
    await expectApiError(await undo(foreign.href), 404, "session_not_found");
    await expectApiError(await undo(`${url}/webhook/undo`), 404, "session_not_found");
    await ageLogin(databaseUrl, code.sid, 601);
    await expectApiError(await undo(address), 404, "session_not_found");
  });

  test("by a GET only after a question, which shows nothing of the login", async () => {
    const code = await shownCode();
    const { undo: address } = await answer(code);
    const page = await new Client(url).fetch(address, { headers: { Accept: "text/html" } });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    const html = await page.text();
    expect(html).toContain('<form method="post">');
    expect(html).not.toContain(code.sid);
    expect((await code.browser.signIn("svc", code.sid)).status).toBe(200);
    // As the page's form sends it.
    const form = { method: "POST", headers: { Accept: "text/html,*/*;q=0.8" } };
    const done = await new Client(url).fetch(address, form);
    expect([done.status, done.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await done.text()).toContain("That browser is signed out");
    expect(await userIdOf(code.browser)).toBeNull();
    const none = await new Client(url).fetch(`${address}x`, form);
    expect(none.status).toBe(404);
    expect(await none.text()).toContain("This cannot be taken back any more");
  });

  test("120 tries a minute and address, whatever they try", async () => {
    const wallet = new Client(url);
    const guess = () => wallet.fetch("/webhook/undo?s=x&t=y", { method: "POST" });
    for (let tries = 0; tries < 120; tries++) await (await guess()).body?.cancel();
    await expectApiError(await guess(), 429, "rate_limited");
  });
});

test("a browser that another one signs out is new to the account again", async () => {
  const { browser: own, wallet } = await signedIn(url);
  const browser = new Client(url);
  for (let round = 0; round < 2; round++) {
    const code = await shownCode(browser, "login");
    expect((await answer(code, wallet)).new_browser).toBe(true);
    await browser.signIn("svc", code.sid);
    const hash = createHash("sha256")
      .update(browser.cookies.get("svc-known-browser") ?? "")
      .digest();
    const [session] = await sql(
      databaseUrl,
      `SELECT session.id FROM browser_session AS session JOIN login_session AS login
        ON login.undo_hash = ANY(session.undo_hashes) WHERE login.known_browser_hash = $1`,
      [hash],
    );
    const ended = await own.fetch(`/api/account/sessions/${session?.id}`, { method: "DELETE" });
    expect(ended.status).toBe(204);
  }
});

test("a browser that is new to an account is told to its other browsers, and the first one of all is not", async () => {
  const { browser, wallet } = await signedIn(url);
  const announced = async (reader: Client) =>
    (await (await reader.fetch("/dashboard")).text()).includes("A new browser signed in");
  const code = await shownCode(new Client(url), "login");
  expect(await announced(browser)).toBe(false);
  await answer(code, wallet);
  await code.browser.signIn("svc", code.sid);
  expect([await announced(browser), await announced(code.browser)]).toEqual([true, false]);
  const again = await shownCode(browser, "login");
  await answer(again, wallet);
  await browser.signIn("svc", again.sid);
  expect(await announced(code.browser)).toBe(false);
});
