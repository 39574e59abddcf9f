import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast, enterDashboard, requestFastQr } from "#scripts/kit/fast-login.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

/** Codes and status of fast login, beside what the conformance kit asks (sections 1.6, 6.1 and 6.3). */

describe("GET /api/getqrcode", () => {
  test("does not go on with a session that was not refreshed for ten minutes", async () => {
    const browser = new Client(url);
    const { sid } = await requestFastQr(browser);
    await ageLogin(databaseUrl, sid, 601);
    expect((await requestFastQr(browser, { sid })).sid).not.toBe(sid);
  });

  test("does not go on with a session of the site login", async () => {
    const browser = new Client(url);
    const { sid } = await (await browser.fetch("/api/svc/qr")).json();
    expect((await requestFastQr(browser, { sid })).sid).not.toBe(sid);
  });

  test("keeps the secret that binds the browser for site login too", async () => {
    const browser = new Client(url);
    await requestFastQr(browser);
    const secret = browser.cookies.get("svc-browser");
    await browser.fetch("/api/svc/qr");
    expect(browser.cookies.get("svc-browser")).toBe(secret);
  });

  test("answers status 1 and no code to a user who is signed in, by whichever flow", async () => {
    const { browser, sid } = await answeredFast(url);
    await enterDashboard(browser, sid);
    expect(await requestFastQr(browser, { sid })).toEqual({ qr: "", sid, status: 1 });
    expect(await requestFastQr(browser)).toEqual({ qr: "", sid: "", status: 1 });
    expect(await requestFastQr((await signedIn(url)).browser)).toEqual({ qr: "", sid: "", status: 1 });
  });

  test("answers mistakes in plain text", async () => {
    const twice = await new Client(url).fetch("/api/getqrcode?sid=a&sid=b");
    expect(twice.status).toBe(400);
    expect(twice.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await twice.text()).toMatch(/^Error: /);
    expect((await new Client(url).fetch("/api/getqrcode?intent=steal")).status).toBe(400);
    expect((await new Client(url).fetch("/api/getqrcode?intent=add")).status).toBe(401);
  });
});
