import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast, enterDashboard, requestFastQr } from "#scripts/kit/fast-login.ts";
import { userIdOf } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { FastWallet } from "#scripts/kit/test-wallet.ts";

const [url, _secondUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

/** The dashboard as an entrance, beside what the conformance kit asks (section 6.4). */

describe("GET /dashboard?sid=", () => {
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

  test("makes one user for an address that signs in at two browsers at once", async () => {
    const wallet = new FastWallet();
    const logins = await Promise.all(Array.from({ length: 6 }, () => answeredFast(url, wallet)));
    const ends = await Promise.all(logins.map(({ browser, sid }) => enterDashboard(browser, sid)));
    expect(ends.map(({ path }) => path)).toEqual(logins.map(() => "/dashboard"));
    const users = await Promise.all(logins.map(({ browser }) => userIdOf(browser)));
    expect(new Set(users).size).toBe(1);
  });

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
