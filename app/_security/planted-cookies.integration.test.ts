import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { registered, requestQr, userIdOf } from "#scripts/kit/login.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** Cookies that somebody else put into the browser; over https their names keep neighbours from it. */

const [url] = inject("appUrls");

describe("a cookie that somebody else chose", () => {
  test("of two cookies with one name the first counts: planting one denies a login and gives none", async () => {
    const { browser, sid } = await registered(url);
    const own = browser.cookies.get("svc-browser") ?? "";
    const planted = Buffer.alloc(32, 9).toString("base64url");
    const csrfToken = await browser.csrfToken();
    const csrf = browser.cookies.get("next-auth.csrf-token");
    // What a neighbour plants is sent first, where its path is longer.
    const response = await new Client(url).fetch("/api/auth/callback/svc", {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        Cookie: `svc-browser=${planted}; svc-browser=${own}; next-auth.csrf-token=${csrf}`,
      },
      body: new URLSearchParams({ csrfToken, sid, json: "true" }).toString(),
    });
    expect(response.status).toBe(401);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });

  test("a session token from before a login is not carried on into it", async () => {
    const victim = (await registered(url)).browser;
    const attacker = await registered(url);
    await attacker.browser.signIn("svc", attacker.sid);
    const fixed = attacker.browser.cookies.get("next-auth.session-token") ?? "";
    victim.cookies.set("next-auth.session-token", fixed);
    const { sid, challenge } = await requestQr(victim, "register");
    await new Client(url).post("/webhook/register", new TestWallet().response(challenge));
    expect((await victim.signIn("svc", sid)).status).toBe(200);
    expect(victim.cookies.get("next-auth.session-token")).not.toBe(fixed);
    expect(await userIdOf(victim)).not.toBe(await userIdOf(attacker.browser));
  });
});
