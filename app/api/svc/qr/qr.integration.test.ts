import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { requestQr } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const COOKIE = "svc-browser";

/** A code's session and secret, beside what the conformance kit asks (sections 1.1, 1.2, 3.1 and 4.1). */

describe("GET /api/svc/qr", () => {
  test("leaves the browser its secret while it goes on asking, whatever the session", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    const secret = browser.cookies.get(COOKIE);
    await requestQr(browser, "login", sid);
    await requestQr(browser, "register");
    await requestQr(browser, "login", "unknown");
    expect(browser.cookies.get(COOKIE)).toBe(secret);
  });

  test("leaves a sid behind after ten idle minutes, and the secret with it", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    const secret = browser.cookies.get(COOKIE);
    await ageLogin(databaseUrl, sid, 601);
    expect((await requestQr(browser, "login", sid)).sid).not.toBe(sid);
    expect(browser.cookies.get(COOKIE)).not.toBe(secret);
  });
});
