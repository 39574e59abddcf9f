import { describe, expect, inject, test } from "vitest";
import { answerAddCode } from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import {
  APPROVAL_SECONDS,
  ageApprovals,
  approve,
  isApproved,
  newApiKey,
  staleBrowser,
} from "#e2e/support/approval.ts";
import type { Client } from "#scripts/kit/client.ts";
import { signedIn, userIdOf } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** A stolen browser session is not the account. */

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

describe("what outlives a browser session needs a fresh approval", () => {
  type Act = (browser: Client) => Promise<Response>;
  type Prepared = { act: Act; status: number };

  const send = (method: string, path: string) => (browser: Client) => browser.fetch(path, { method });

  async function domain(browser: Client, mode: string): Promise<string> {
    const webhook_url = "https://shop.example.com/events";
    const name = `d${crypto.randomUUID()}.example.com`;
    const created = await browser.post(`/api/console/${mode}/domains`, { domain: name, webhook_url });
    expect(created.status).toBe(201);
    return (await created.json()).id;
  }

  const modes = ["live", "test"];
  const acts: [string, (browser: Client) => Promise<Prepared>][] = [
    [
      "asking for an add code",
      async () => ({ act: (by) => by.fetch("/api/svc/qr?intent=add"), status: 200 }),
    ],
    [
      "removing a way to sign in",
      async (browser) => {
        const sid = await answerAddCode(browser, new TestWallet());
        const { id } = await (await browser.post("/api/account/credentials", { sid })).json();
        return { act: send("DELETE", `/api/account/credentials/${id}`), status: 204 };
      },
    ],
    [
      "making recovery codes",
      async () => ({ act: send("POST", "/api/account/recovery-codes"), status: 201 }),
    ],
    ["revoking every API key", async () => ({ act: send("DELETE", "/api/account/api-keys"), status: 204 })],
    ["deleting the account", async () => ({ act: send("DELETE", "/api/account"), status: 204 })],
    [
      "signing out everywhere with the API keys",
      async () => ({ act: send("DELETE", "/api/account/sessions?api_keys=revoke"), status: 204 }),
    ],
    ...modes.flatMap((mode): [string, (browser: Client) => Promise<Prepared>][] => [
      [
        `creating an API key (${mode})`,
        async () => ({ act: (browser) => newApiKey(browser, mode), status: 201 }),
      ],
      [
        `revoking an API key (${mode})`,
        async (browser) => {
          const { id } = await (await newApiKey(browser, mode)).json();
          return { act: send("DELETE", `/api/console/${mode}/keys/${id}`), status: 204 };
        },
      ],
      [
        `replacing a webhook secret (${mode})`,
        async (browser) => {
          const path = `/api/console/${mode}/domains/${await domain(browser, mode)}/rotate-secret`;
          return { act: send("POST", path), status: 200 };
        },
      ],
      [
        `changing a webhook URL (${mode})`,
        async (browser) => {
          const id = await domain(browser, mode);
          const body = JSON.stringify({ webhook_url: "https://shop.example.com/other" });
          const headers = { "Content-Type": "application/json" };
          const path = `/api/console/${mode}/domains/${id}`;
          return { act: (by) => by.fetch(path, { method: "PATCH", headers, body }), status: 200 };
        },
      ],
      [
        `deleting a domain (${mode})`,
        async (browser) => {
          const id = await domain(browser, mode);
          return { act: send("DELETE", `/api/console/${mode}/domains/${id}`), status: 204 };
        },
      ],
    ]),
  ];

  test.each(acts)("%s: 403 with an old approval, done with a fresh one", async (_, prepare) => {
    const { browser, wallet, userId } = await signedIn(url);
    const { act, status } = await prepare(browser);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    const refused = await act(browser);
    expect((await refused.clone().json()).error.details).toEqual({ approve_with: ["public_key"] });
    await expectApiError(refused, 403, "approval_required");
    expect((await approve(browser, wallet)).status).toBe(200);
    expect((await act(browser)).status).toBe(status);
  });

  test("signing in counts as an approval, for ten minutes", async () => {
    const { browser, userId } = await signedIn(url);
    expect(await isApproved(browser)).toBe(true);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS - 20);
    expect(await isApproved(browser)).toBe(true);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    expect(await isApproved(browser)).toBe(false);
  });

  test("so does an answered code, by every process's clock", async () => {
    const { browser, wallet, userId } = await staleBrowser(url, databaseUrl);
    await approve(browser, wallet);
    const elsewhere = browser.copy(otherUrl);
    expect(await isApproved(elsewhere)).toBe(true);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS - 20);
    expect(await isApproved(browser)).toBe(true);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    expect(await isApproved(browser)).toBe(false);
  });

  test("signing out, everywhere too, revoking a session and renaming need none", async () => {
    const { browser, wallet, userId } = await signedIn(url);
    await signedIn(url, wallet);
    await ageApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    const [credential] = await sql<{ id: string }>(
      databaseUrl,
      "SELECT id FROM credential WHERE user_id = $1",
      [userId],
    );
    const renamed = await browser.fetch(`/api/account/credentials/${credential?.id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ label: "Phone" }),
    });
    expect(renamed.status).toBe(204);
    expect((await browser.fetch("/api/account/sessions", { method: "DELETE" })).status).toBe(204);
    expect(await userIdOf(browser)).toBeNull();
  });
});
