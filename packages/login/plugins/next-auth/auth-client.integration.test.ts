import { expect, test } from "vitest";
import { createLogin } from "../../index.ts";
import { SETTINGS, SiteBrowser, startSite } from "../../site/tests/site.fixture.ts";
import { VirtualWallet } from "../../testing/virtual-wallet.ts";

/** Tests the requests of NextAuth's client, and the pages at NextAuth's URLs. */

const site = startSite((databaseUrl) => createLogin(async () => ({ ...SETTINGS, databaseUrl })));

async function signedIn(): Promise<SiteBrowser> {
  const browser = new SiteBrowser(site().login);
  const { sid } = await browser.answerLogin("mode=register", new VirtualWallet());
  expect(
    (await browser.send("POST", "/api/svc/sign-in", { sid, attempt: "a".repeat(32) }, SAME_ORIGIN)).status,
  ).toBe(200);
  return browser;
}

const SAME_ORIGIN = { "Sec-Fetch-Site": "same-origin" };

const csrfTokenOf = async (browser: SiteBrowser): Promise<string> =>
  (await (await browser.send("GET", "/api/auth/csrf")).json()).csrfToken;

test("returns the session unchanged when NextAuth's client updates it", async () => {
  const browser = await signedIn();
  const session = await (await browser.send("GET", "/api/auth/session")).json();
  const data = { name: "Mallory", user: { id: 1 } };
  const answer = await browser.send("POST", "/api/auth/session", {
    csrfToken: await csrfTokenOf(browser),
    data,
  });
  expect([answer.status, (await answer.json()).user]).toEqual([200, session.user]);
});

test("accepts reports from NextAuth's client", async () => {
  const report = new URLSearchParams({ level: "error", code: "CLIENT_FETCH_ERROR", client: "true" });
  const answer = await new SiteBrowser(site().login).send("POST", "/api/auth/_log", report);
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
});

test("asks for confirmation before a sign-out, on a page that works without scripts", async () => {
  const browser = await signedIn();
  const page = await browser.send("GET", "/api/auth/signout");
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
  const html = await page.text();
  expect(html).toContain("Sign out of shop.example?");
  const csrfToken = /name="csrfToken" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? "";
  const out = await browser.send("POST", "/api/auth/signout", new URLSearchParams({ csrfToken }));
  expect(out.status).toBe(302);
  expect(await (await browser.send("GET", "/api/auth/session")).json()).toEqual({});
});

test.each(["signin", "signin/svc", "error?error=Verification", "verify-request"])(
  "redirects from NextAuth's pages to the login: %s",
  async (page) => {
    const answer = await new SiteBrowser(site().login).send("GET", `/api/auth/${page}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      expect.stringMatching(/^\/login(\?|$)/),
    ]);
  },
);
