import { describe, expect, inject, test } from "vitest";
import { PAGES } from "#e2e/support/addresses.ts";
import { Client } from "#scripts/kit/client.ts";
import { requestQr } from "#scripts/kit/login.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** Markup wherever a page shows what somebody else wrote. */

const [url] = inject("appUrls");

describe("markup that somebody stored", () => {
  const MARKUP = `"><img src=x onerror=alert(1)></script><script>alert(1)</script>`;

  test("is text on every page that shows it: device, browser, names, an endpoint's answer", async () => {
    const wallet = new TestWallet();
    const device_info = { platform: MARKUP, version: MARKUP, device_id: MARKUP };
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser, "register");
    await browser.post("/webhook/register", wallet.response(challenge, { device_info }));
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "User-Agent": `Firefox/1 ${MARKUP}`,
    };
    const csrfToken = await browser.csrfToken();
    const form = new URLSearchParams({ csrfToken, sid, json: "true" }).toString();
    await browser.fetch("/api/auth/callback/svc", { method: "POST", headers, body: form });
    const console = (path: string, body: unknown) =>
      browser.post(`/api/console/test${path}`, body, { Origin: url });
    expect((await console("/keys", { name: MARKUP })).status).toBe(201);
    const host = `d${Date.now()}.example`;
    const webhook_url = `https://${host}/?q=${encodeURIComponent(MARKUP)}`;
    const { id: domain } = await (await console("/domains", { domain: host, webhook_url })).json();
    await console(`/domains/${domain}/test-event`, undefined);

    const seen: string[] = [];
    for (const { path } of [...PAGES, { path: `/console/test/domains/${domain}` }]) {
      const html = await (await browser.fetch(path)).text();
      expect(html, path).not.toMatch(/<img src=x|<script>alert|<\/script><script>/i);
      if (html.includes("onerror=alert(1)")) seen.push(path);
    }
    expect(seen).toEqual(expect.arrayContaining(["/dashboard", "/console/test/keys"]));
  });

  test("and so it is where an address shows it again", async () => {
    const anyone = new Client(url);
    for (const { path } of PAGES) {
      const names = "callbackUrl error sid s c t problem kind status domain_id cursor".split(" ");
      const query = names.map((name) => `${name}=${encodeURIComponent(MARKUP)}`).join("&");
      const html = await (await anyone.fetch(`${path}?${query}`)).text();
      expect(html, path).not.toMatch(/<img src=x|<script>alert|<\/script><script>/i);
    }
  });
});
