import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast, checkFast, enterDashboard, requestFastQr } from "#scripts/kit/fast-login.ts";
import { registered, userIdOf } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { FastWallet } from "#scripts/kit/test-wallet.ts";

const [url, secondUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

describe("GET /dashboard?sid=", () => {
  test("signs in the bound browser by plain redirects and takes the sid out of the address", async () => {
    const { browser, sid, wallet } = await answeredFast(url);
    const { path, response } = await enterDashboard(browser, sid);
    expect([path, response.status]).toEqual(["/dashboard", 200]);
    expect(await response.text()).toContain(wallet.address);
    expect(await userIdOf(browser)).toEqual(expect.any(Number));
  });

  test("makes the cookie that NextAuth makes", async () => {
    const byRedirect = await answeredFast(url);
    const entrance = await byRedirect.browser.fetch(`/dashboard/enter?sid=${byRedirect.sid}`);
    expect(entrance.status).toBe(303);
    const byNextAuth = await answeredFast(url);
    const signIn = await byNextAuth.browser.signIn("fast", byNextAuth.sid);
    const attributes = (response: Response) =>
      response.headers
        .getSetCookie()
        .filter((line) => line.startsWith("next-auth.session-token="))
        .map((line) =>
          line
            .toLowerCase()
            .split("; ")
            .slice(1)
            .filter((item) => !/^(expires|max-age)=/.test(item)),
        );
    expect(attributes(entrance).map((list) => list.toSorted())).toEqual(
      attributes(signIn).map((list) => list.toSorted()),
    );
    expect(await userIdOf(byNextAuth.browser)).toEqual(expect.any(Number));
    expect(await userIdOf(byRedirect.browser)).toEqual(expect.any(Number));
  });

  test("signs in the same user again, whose address is known", async () => {
    const wallet = new FastWallet("p2pkh");
    const users: (number | null)[] = [];
    for (const place of [url, url]) {
      const { browser, sid } = await answeredFast(place, wallet);
      await enterDashboard(browser, sid);
      users.push(await userIdOf(browser));
    }
    expect(users[0]).toEqual(expect.any(Number));
    expect(users[1]).toBe(users[0]);
  });

  test("makes one user for an address that signs in at two browsers at once", async () => {
    const wallet = new FastWallet();
    const logins = await Promise.all(Array.from({ length: 6 }, () => answeredFast(url, wallet)));
    const ends = await Promise.all(logins.map(({ browser, sid }) => enterDashboard(browser, sid)));
    expect(ends.map(({ path }) => path)).toEqual(logins.map(() => "/dashboard"));
    const users = await Promise.all(logins.map(({ browser }) => userIdOf(browser)));
    expect(new Set(users).size).toBe(1);
  });

  test("signs in no other browser, not one with a login of its own either", async () => {
    const { sid } = await answeredFast(url);
    const thief = new Client(url);
    expect((await enterDashboard(thief, sid)).path).toBe("/fast?problem=not-signed-in");
    await requestFastQr(thief);
    expect((await enterDashboard(thief, sid)).path).toBe("/fast?problem=not-signed-in");
    expect((await thief.signIn("fast", sid)).status).toBe(401);
    expect(await userIdOf(thief)).toBeNull();
  });

  test("signs nobody in by a sid that somebody fixed beforehand", async () => {
    const attacker = new Client(url);
    const { sid } = await requestFastQr(attacker);
    const victim = new Client(url);
    const own = await requestFastQr(victim, { sid });
    expect(own.sid).not.toBe(sid);
    const wallet = new FastWallet();
    await victim.fetch(new URL(own.qr).pathname + new URL(own.qr).search, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ data: wallet.fields(own.qr) }),
    });
    expect(await checkFast(attacker, sid)).toEqual({ sid, status: 0 });
    expect((await enterDashboard(attacker, own.sid)).path).toBe("/fast?problem=not-signed-in");
  });

  test("signs in once: of ten tries at once one, and none afterwards", async () => {
    const { browser, sid } = await answeredFast(url);
    const cookies = [...browser.cookies];
    const tries = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const copy = new Client(index % 2 ? url : secondUrl);
        for (const [name, value] of cookies) copy.cookies.set(name, value);
        await copy.fetch(`/dashboard/enter?sid=${sid}`);
        return copy.cookies.has("next-auth.session-token");
      }),
    );
    expect(tries.filter(Boolean)).toHaveLength(1);
    const late = new Client(url);
    for (const [name, value] of cookies) late.cookies.set(name, value);
    expect((await enterDashboard(late, sid)).path).toBe("/fast?problem=not-signed-in");
  });

  test("is redeemed by its own flow's provider only", async () => {
    const fast = await answeredFast(url);
    expect((await fast.browser.signIn("svc", fast.sid)).status).toBe(401);
    const svc = await registered(url);
    expect((await svc.browser.signIn("fast", svc.sid)).status).toBe(401);
    expect((await enterDashboard(svc.browser, svc.sid)).path).toBe("/fast?problem=not-signed-in");
    expect((await svc.browser.signIn("svc", svc.sid)).status).toBe(200);
  });

  test.each(["", "x", "null", "' OR 1=1", `${"A".repeat(32)}_1700000000`])(
    "tells on the login page that %j signs nobody in",
    async (sid) => {
      const { path, response } = await enterDashboard(new Client(url), sid);
      expect(response.status).toBe(200);
      expect(path).toMatch(/^\/(fast\?problem=not-signed-in|login\?.*)$/);
    },
  );

  test("does nothing for a session that is pending, or answered more than ten minutes ago", async () => {
    const browser = new Client(url);
    const { sid } = await requestFastQr(browser);
    expect((await enterDashboard(browser, sid)).path).toBe("/fast?problem=not-signed-in");
    const late = await answeredFast(url);
    await ageLogin(databaseUrl, late.sid, 601);
    expect((await enterDashboard(late.browser, late.sid)).path).toBe("/fast?problem=not-signed-in");
  });

  test("leaves a browser that is signed in as it is", async () => {
    const { browser, sid } = await answeredFast(url);
    await enterDashboard(browser, sid);
    const userId = await userIdOf(browser);
    expect((await enterDashboard(browser, sid)).path).toBe("/dashboard");
    expect(await userIdOf(browser)).toBe(userId);
  });

  test("leaves a log of the login, without the sid's secret half", async () => {
    const { browser, sid, wallet } = await answeredFast(url);
    await enterDashboard(browser, sid);
    const events = await sql<{ kind: string; credential: string | null }>(
      databaseUrl,
      "SELECT kind, credential FROM login_event WHERE sid = $1 ORDER BY id",
      [sid],
    );
    expect(events).toEqual([
      { kind: "issued", credential: null },
      { kind: "delivered", credential: wallet.address },
      { kind: "session_created", credential: wallet.address },
    ]);
  });
});
