import { describe, expect, test } from "vitest";
import { addCredential, answerAddCode } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import {
  APPROVAL_SECONDS,
  approve,
  backdateApprovals,
  createApiKey,
  isApproved,
  openStaleBrowser,
} from "#e2e/support/approval.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { databaseUrl, otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { type Client, expectStatus } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

type Act = (browser: Client) => Promise<Response>;
type ChangeRequest = {
  /** Runs while the approval is fresh. */
  prepare: (browser: Client) => Act | Promise<Act>;
  /** The response's status when the approval is fresh or not needed. */
  status?: number;
  /** How the session is locked and checked again when the change is made. */
  locks?: "in a transaction" | "in a statement";
};

const CREDENTIALS = "/api/account/credentials";

const send = (method: string, path: string, body?: unknown) => (browser: Client) =>
  browser.fetch(path, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });

const newKeyPath = (browser: Client) => addCredential(browser, new TestWallet());

/** One mode is enough, because both modes use the same handlers (`lib/console/console-api.ts`). */
function ofConsole(): Record<string, ChangeRequest> {
  const base = "/api/console/live";
  const webhook_url = "https://shop.example.com/events";
  const register = (browser: Client) =>
    browser.post(`${base}/domains`, { domain: `d${crypto.randomUUID()}.example.com`, webhook_url });
  const idOf = async (created: Promise<Response>) =>
    (await (await expectStatus(await created, 201)).json()).id;
  const domain = async (browser: Client) => `${base}/domains/${await idOf(register(browser))}`;
  return {
    "creating an API key": {
      ...{ status: 201, locks: "in a transaction" },
      prepare: () => (browser) => createApiKey(browser, "live"),
    },
    "revoking an API key": {
      ...{ status: 204, locks: "in a transaction" },
      prepare: async (browser) => send("DELETE", `${base}/keys/${await idOf(createApiKey(browser, "live"))}`),
    },
    "registering a domain": { locks: "in a transaction", prepare: () => register },
    "replacing a webhook secret": {
      ...{ status: 200, locks: "in a transaction" },
      prepare: async (browser) => send("POST", `${await domain(browser)}/rotate-secret`),
    },
    "changing a webhook URL": {
      ...{ status: 200, locks: "in a transaction" },
      prepare: async (browser) => send("PATCH", await domain(browser), { webhook_url: `${webhook_url}/2` }),
    },
    "deleting a domain": {
      ...{ status: 204, locks: "in a transaction" },
      prepare: async (browser) => send("DELETE", await domain(browser)),
    },
  };
}

const ASKED: Record<string, ChangeRequest> = {
  "asking for an add code": { status: 200, prepare: () => send("GET", "/api/svc/qr?intent=add") },
  "making recovery codes": { status: 201, prepare: () => send("POST", "/api/account/recovery-codes") },
  "adding a way in": {
    locks: "in a statement",
    prepare: async (browser) =>
      send("POST", CREDENTIALS, { sid: await answerAddCode(browser, new TestWallet()) }),
  },
  "naming a way in": {
    locks: "in a statement",
    prepare: async (browser) => send("PATCH", await newKeyPath(browser), { label: "Old phone" }),
  },
  "removing a way in": {
    ...{ status: 204, locks: "in a statement" },
    prepare: async (browser) => send("DELETE", await newKeyPath(browser)),
  },
  "removing the ways in from before a recovery": {
    ...{ status: 204, locks: "in a statement" },
    async prepare(browser) {
      const id = (await newKeyPath(browser)).split("/").at(-1);
      await query("UPDATE credential SET before_recovery_at = now() WHERE id = $1", [id]);
      return send("DELETE", `${CREDENTIALS}/before-recovery`);
    },
  },
  "revoking every API key": {
    ...{ status: 204, locks: "in a transaction" },
    prepare: () => send("DELETE", "/api/account/api-keys"),
  },
  "signing out everywhere with the API keys": {
    ...{ status: 204, locks: "in a transaction" },
    prepare: () => send("DELETE", "/api/account/sessions?api_keys=revoke"),
  },
  "deleting the account": {
    ...{ status: 204, locks: "in a transaction" },
    prepare: () => send("DELETE", "/api/account"),
  },
  "creating a test API key": {
    ...{ status: 201, locks: "in a transaction" },
    prepare: () => (browser) => createApiKey(browser, "test"),
  },
  ...ofConsole(),
};
const entriesWhere = (where: (matches: ChangeRequest) => boolean) =>
  Object.entries(ASKED).filter(([, each]) => where(each));

describe("a change that outlives the browser session", () => {
  test.each(entriesWhere(({ status }) => status !== undefined))(
    "gets 403 with an old approval and succeeds with a fresh one: %s",
    async (_name, { status, prepare }) => {
      const { browser, wallet, userId } = await signInBrowser(url);
      const act = await prepare(browser);
      await backdateApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
      const refusal = await act(browser);
      expect((await refusal.clone().json()).error.details).toEqual({ approve_with: ["public_key"] });
      await expectApiError(refusal, 403, "approval_required");
      expect((await approve(browser, wallet)).status).toBe(200);
      expect((await act(browser)).status).toBe(status);
    },
  );

  async function expectTenMinutes(browser: Client, userId: number | null): Promise<void> {
    expect(await isApproved(browser.copy(otherUrl))).toBe(true);
    await backdateApprovals(databaseUrl, userId, APPROVAL_SECONDS - 20);
    expect(await isApproved(browser)).toBe(true);
    await backdateApprovals(databaseUrl, userId, APPROVAL_SECONDS + 1);
    expect(await isApproved(browser)).toBe(false);
  }

  test("can be made for ten minutes after a sign-in", async () => {
    const { browser, userId } = await signInBrowser(url);
    await expectTenMinutes(browser, userId);
  });

  test("can be made in any process after a wallet has answered an approval code", async () => {
    const { browser, wallet, userId } = await openStaleBrowser(url, databaseUrl);
    await approve(browser, wallet);
    await expectTenMinutes(browser, userId);
  });
});

describe("a session that ends between the check and the change", () => {
  /** All data that the changes could affect, and the history. */
  async function stateOf(userId: number | null): Promise<unknown> {
    const rows = (table: string, of: string) =>
      `(SELECT COALESCE(json_agg(to_json(row) ORDER BY row.id), '[]') FROM ${table} AS row WHERE ${of})`;
    const ofOwner = "owner_id IN (SELECT id FROM owner WHERE user_id = $1)";
    const [state] = await query(
      `SELECT ${rows("user_account", "id = $1")} AS account, ${rows("credential", "user_id = $1")} AS credentials,
         ${rows("login_event", "user_id = $1")} AS history, ${rows("api_key", ofOwner)} AS keys,
         ${rows("domain", ofOwner)} AS domains`,
      [userId],
    );
    return state;
  }

  /** Ends the session while `lock` is held, using `end`. If `end` is missing, the `lock` statement itself ends it. */
  async function expectNoChange({ prepare }: ChangeRequest, lock: string, end?: string): Promise<void> {
    const { browser, userId } = await signInBrowser(url);
    await createApiKey(browser);
    const act = await prepare(browser);
    const before = await stateOf(userId);
    const heldRow = await holdLock(databaseUrl, lock, [userId]);
    const answer = act(browser);
    await heldRow.waiting(1);
    if (end) await query(end, [userId]);
    await heldRow.release();
    await expectApiError(await answer, 401, "not_signed_in");
    expect(await stateOf(userId)).toEqual(before);
  }

  const END = "DELETE FROM browser_session WHERE user_id = $1";
  const AGE = "UPDATE browser_session SET created_at = now() - interval '601 s' WHERE user_id = $1";
  const inTransactions = entriesWhere(({ locks }) => locks === "in a transaction").flatMap(([name, each]) => [
    [name, "has ended", each, END] as const,
    ...(each.status === undefined ? [] : [[name, "is no longer approved", each, AGE] as const]),
  ]);

  test.each(inTransactions)(
    "does not change or record anything: %s with a session that %s",
    (_name, _how, change, end) =>
      expectNoChange(change, "SELECT 1 FROM user_account WHERE id = $1 FOR UPDATE", end),
  );

  test.each(entriesWhere(({ locks }) => locks === "in a statement"))(
    "does not change or record anything: %s with a session that ends at that moment",
    (_name, change) => expectNoChange(change, END),
  );
});
