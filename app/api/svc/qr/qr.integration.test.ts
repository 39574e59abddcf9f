import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { BINDING_COOKIE, databaseUrl, query, requestSharedApp, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { checkLogin, Qr, readUserId, requestQr } from "#tools/kit/login.ts";
import { backdateLogin } from "#tools/kit/sql.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/** Covers cases that the conformance kit does not check (sections 3.1, 3.3 and 4.1). */

test("issues a new sid and a new browser secret after ten idle minutes", async () => {
  const browser = new Client(url);
  const { sid } = await requestQr(browser);
  const secret = browser.cookies.get(BINDING_COOKIE);
  await backdateLogin(databaseUrl, sid, 590);
  expect(await checkLogin(browser, sid)).toEqual({ status: "pending" });
  await backdateLogin(databaseUrl, sid, 11);
  for (const what of ["check", "events"]) {
    await expectApiError(await browser.fetch(`/api/svc/${what}?sid=${sid}`), 410, "session_expired");
  }
  const foreignResponse = await new Client(url).fetch(`/api/svc/events?sid=${sid}`);
  await expectApiError(foreignResponse, 404, "session_not_found");
  expect((await requestQr(browser, "login", sid)).sid).not.toBe(sid);
  expect(browser.cookies.get(BINDING_COOKIE)).not.toBe(secret);
});

test("does not write to the database when a page polls the status", async () => {
  const { sid } = await requestQr(new Client(url));
  const state = () =>
    query(
      `SELECT session.xmin::text, (SELECT count(*) FROM login_event WHERE sid = $1) AS events,
         (SELECT array_agg(challenge.xmin::text) FROM challenge WHERE sid = $1) AS challenges
       FROM login_session AS session WHERE sid = $1`,
      [sid],
    );
  const before = await state();
  for (let poll = 0; poll < 3; poll++) await checkLogin(new Client(url), sid);
  expect(await state()).toEqual(before);
});

const ORIGIN = "https://login.example.com";

/** With an HTTPS `APP_URL`, the QR payload is an HTTPS URL. */
const { url: httpsUrl } = await requestSharedApp("https");

async function ask(browser: Client, mode: string): Promise<Qr> {
  const response = await browser.fetch(`/api/svc/qr?mode=${mode}`, {
    // Proxy headers must not change the URL that wallets post to.
    headers: { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http" },
  });
  return Qr.parse(await response.json());
}

describe("over HTTPS", () => {
  test.each(["login", "register"])(
    "encodes a code as the webhook's HTTPS URL with the parameters s and c: %s",
    async (mode) => {
      const { sid, challenge, qr } = await ask(new Client(httpsUrl), mode);
      expect(challenge).toMatch(new RegExp(`^svc:${mode}:login\\.example\\.com:\\d+:[A-Za-z0-9]{32}$`));
      expect(qr).toBe(`${ORIGIN}/webhook/${mode}?s=${sid}&c=${encodeURIComponent(challenge)}`);
    },
  );

  test("signs a browser in and out with cookies that are sent only over HTTPS", async () => {
    const browser = new Client(httpsUrl);
    const { sid, challenge } = await ask(browser, "register");
    const walletResponse = new TestWallet().response(challenge);
    expect((await new Client(httpsUrl).post("/webhook/register", walletResponse)).status).toBe(200);
    const response = await browser.signIn("svc", sid);
    expect(response.status).toBe(200);
    const token = response.headers.getSetCookie().find((line) => line.includes("session-token"));
    expect(token).toMatch(/^__Host-next-auth\.session-token=.*; Secure/);
    expect(new URL((await response.json()).url).origin).toBe(ORIGIN);
    expect(await readUserId(browser)).not.toBeNull();
    const signOut = await browser.fetch("/api/account/sessions", {
      method: "DELETE",
      headers: { Origin: ORIGIN },
    });
    expect(signOut.status).toBe(204);
    expect(await readUserId(browser)).toBeNull();
  });

  test("forbids caching of the page that a phone's camera opens from the code", async () => {
    const { qr } = await ask(new Client(httpsUrl), "login");
    const { pathname, search } = new URL(qr);
    const response = await new Client(httpsUrl).fetch(pathname + search);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await response.text()).toContain("login.example.com");
  });
});
