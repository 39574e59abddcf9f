import { describe, expect, test } from "vitest";
import { addCredential } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import {
  APPROVAL_SECONDS,
  ageApprovals,
  approve,
  isApproved,
  newApiKey,
  staleBrowser,
} from "#e2e/support/approval.ts";
import { databaseUrl, otherUrl, url } from "#e2e/support/test-apps.ts";
import { type Client, expectStatus } from "#scripts/kit/client.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** A stolen browser session is not the account. */

describe("what outlives a browser session needs a fresh approval", () => {
  type Act = (browser: Client) => Promise<Response>;
  /** What is prepared while the approval is fresh, and what it comes to once it is approved. */
  type Row = [name: string, status: number, prepare: (browser: Client) => Act | Promise<Act>];

  const send = (method: string, path: string) => (browser: Client) => browser.fetch(path, { method });

  async function domain(browser: Client, mode: string): Promise<string> {
    const webhook_url = "https://shop.example.com/events";
    const name = `d${crypto.randomUUID()}.example.com`;
    const path = `/api/console/${mode}/domains`;
    const created = await expectStatus(await browser.post(path, { domain: name, webhook_url }), 201);
    return `${path}/${(await created.json()).id}`;
  }

  const acts: Row[] = [
    ["asking for an add code", 200, () => send("GET", "/api/svc/qr?intent=add")],
    [
      "removing a way to sign in",
      204,
      async (browser) => send("DELETE", await addCredential(browser, new TestWallet())),
    ],
    ["making recovery codes", 201, () => send("POST", "/api/account/recovery-codes")],
    ["revoking every API key", 204, () => send("DELETE", "/api/account/api-keys")],
    ["deleting the account", 204, () => send("DELETE", "/api/account")],
    [
      "signing out everywhere with the API keys",
      204,
      () => send("DELETE", "/api/account/sessions?api_keys=revoke"),
    ],
    ...["live", "test"].flatMap((mode): Row[] => [
      [`creating an API key (${mode})`, 201, () => (browser) => newApiKey(browser, mode)],
      [
        `revoking an API key (${mode})`,
        204,
        async (browser) => {
          const { id } = await (await newApiKey(browser, mode)).json();
          return send("DELETE", `/api/console/${mode}/keys/${id}`);
        },
      ],
      [
        `replacing a webhook secret (${mode})`,
        200,
        async (browser) => send("POST", `${await domain(browser, mode)}/rotate-secret`),
      ],
      [
        `changing a webhook URL (${mode})`,
        200,
        async (browser) => {
          const path = await domain(browser, mode);
          return (by) => by.patch(path, { webhook_url: "https://shop.example.com/other" });
        },
      ],
      [`deleting a domain (${mode})`, 204, async (browser) => send("DELETE", await domain(browser, mode))],
    ]),
  ];

  test.each(acts)("%s: 403 with an old approval, done with a fresh one", async (_name, status, prepare) => {
    const { browser, wallet, userId } = await signedIn(url);
    const act = await prepare(browser);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    const refused = await act(browser);
    expect((await refused.clone().json()).error.details).toEqual({ approve_with: ["public_key"] });
    await expectApiError(refused, 403, "approval_required");
    expect((await approve(browser, wallet)).status).toBe(200);
    expect((await act(browser)).status).toBe(status);
  });

  async function expectTenMinutes(browser: Client, userId: number | null): Promise<void> {
    expect(await isApproved(browser.copy(otherUrl))).toBe(true);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS - 20);
    expect(await isApproved(browser)).toBe(true);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    expect(await isApproved(browser)).toBe(false);
  }

  test("signing in counts as an approval, for ten minutes", async () => {
    const { browser, userId } = await signedIn(url);
    await expectTenMinutes(browser, userId);
  });

  test("so does an answered code, by every process's clock", async () => {
    const { browser, wallet, userId } = await staleBrowser(url, databaseUrl);
    await approve(browser, wallet);
    await expectTenMinutes(browser, userId);
  });
});
