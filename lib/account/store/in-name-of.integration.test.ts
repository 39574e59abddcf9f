import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { answerAddCode } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { newApiKey } from "#e2e/support/approval.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import type { Client } from "#scripts/kit/client.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** A change whose browser session ends, or whose approval does, between the look at it and the change. */

type Change = (browser: Client) => Promise<() => Promise<Response>>;

const send = (browser: Client, method: string, path: string, body?: unknown) =>
  browser.fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });

async function keyId(browser: Client): Promise<string> {
  return (await (await newApiKey(browser)).json()).id;
}

function newDomain(browser: Client): Promise<Response> {
  const webhook_url = "https://shop.example.com/events";
  return browser.post("/api/console/live/domains", { domain: `d${randomUUID()}.example.com`, webhook_url });
}

async function domainPath(browser: Client): Promise<string> {
  return `/api/console/live/domains/${(await (await newDomain(browser)).json()).id}`;
}

const CHANGES: Record<string, Change> = {
  "creating an API key": async (browser) => () => newApiKey(browser),
  "revoking an API key": async (browser) => {
    const id = await keyId(browser);
    return () => send(browser, "DELETE", `/api/console/live/keys/${id}`);
  },
  "revoking every API key": async (browser) => () => send(browser, "DELETE", "/api/account/api-keys"),
  "replacing a webhook secret": async (browser) => {
    const path = await domainPath(browser);
    return () => send(browser, "POST", `${path}/rotate-secret`);
  },
  "changing a webhook URL": async (browser) => {
    const path = await domainPath(browser);
    return () => send(browser, "PATCH", path, { webhook_url: "https://shop.example.com/other" });
  },
  "registering a domain": async (browser) => () => newDomain(browser),
  "deleting a domain": async (browser) => {
    const path = await domainPath(browser);
    return () => send(browser, "DELETE", path);
  },
  "signing out everywhere with the API keys": async (browser) => () =>
    send(browser, "DELETE", "/api/account/sessions?api_keys=revoke"),
  "deleting the account": async (browser) => () => send(browser, "DELETE", "/api/account"),
};

/** The package's, each one statement, which locks the session itself. */
const STATEMENTS: Record<string, Change> = {
  "adding a way in": async (browser) => {
    const sid = await answerAddCode(browser, new TestWallet());
    return () => browser.post("/api/account/credentials", { sid });
  },
  "removing a way in": async (browser) => {
    const sid = await answerAddCode(browser, new TestWallet());
    const { id } = await (await browser.post("/api/account/credentials", { sid })).json();
    return () => send(browser, "DELETE", `/api/account/credentials/${id}`);
  },
  "removing the ways in from before a recovery": async (browser) => {
    const sid = await answerAddCode(browser, new TestWallet());
    const { id } = await (await browser.post("/api/account/credentials", { sid })).json();
    await query("UPDATE credential SET before_recovery_at = now() WHERE id = $1", [id]);
    return () => send(browser, "DELETE", "/api/account/credentials/before-recovery");
  },
  "naming a way in": async (browser) => {
    const sid = await answerAddCode(browser, new TestWallet());
    const { id } = await (await browser.post("/api/account/credentials", { sid })).json();
    return () => send(browser, "PATCH", `/api/account/credentials/${id}`, { label: "Old phone" });
  },
};

const END: Record<string, string> = {
  "has ended": "DELETE FROM browser_session WHERE user_id = $1",
  "is approved no more":
    "UPDATE browser_session SET created_at = now() - interval '601 s' WHERE user_id = $1",
};

/** Whatever one of the changes could change, and the history. */
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

/** These need a session, and no approval. */
const UNAPPROVED = ["registering a domain"];

const cases = Object.keys(CHANGES).flatMap((change) => {
  const ends = UNAPPROVED.includes(change) ? ["has ended"] : Object.keys(END);
  return ends.map((end) => [change, end] as const);
});

test.each(cases)(
  "%s in the name of a session that %s: nothing is changed, nothing recorded",
  async (name, how) => {
    const { browser, userId } = await signedIn(url);
    await keyId(browser);
    const change = await CHANGES[name]?.(browser);
    const before = await stateOf(userId);
    const lock = await holdLock(databaseUrl, "SELECT 1 FROM user_account WHERE id = $1 FOR UPDATE", [userId]);
    const changing = change?.();
    await lock.waiting(1);
    await query(END[how] ?? "", [userId]);
    await lock.release();
    await expectApiError((await changing) ?? Response.error(), 401, "not_signed_in");
    expect(await stateOf(userId)).toEqual(before);
  },
);

test.each(Object.keys(STATEMENTS))(
  "%s in the name of a session that ends at that moment: nothing is changed, nothing recorded",
  async (name) => {
    const { browser, userId } = await signedIn(url);
    await keyId(browser);
    const change = await STATEMENTS[name]?.(browser);
    const before = await stateOf(userId);
    const ending = "DELETE FROM browser_session WHERE user_id = $1 RETURNING id";
    const lock = await holdLock(databaseUrl, ending, [userId]);
    const changing = change?.();
    await lock.waiting(1);
    await lock.release();
    await expectApiError((await changing) ?? Response.error(), 401, "not_signed_in");
    expect(await stateOf(userId)).toEqual(before);
  },
);
