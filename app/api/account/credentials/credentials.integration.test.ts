import { describe, expect, inject, test } from "vitest";
import { answerAddCode, decide } from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast, enterDashboard } from "#scripts/kit/fast-login.ts";
import { registered, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

type Row = { id: string; value: string; label: string | null };

function credentialsOf(userId: number | null): Promise<Row[]> {
  return sql<Row>(
    databaseUrl,
    "SELECT id, value, label FROM credential WHERE user_id = $1 ORDER BY created_at, value",
    [userId],
  );
}

const add = (browser: Client, sid: string) => browser.post("/api/account/credentials", { sid });
const remove = (browser: Client, id: string) =>
  browser.fetch(`/api/account/credentials/${id}`, { method: "DELETE" });
const rename = (browser: Client, id: string, label: unknown) =>
  browser.fetch(`/api/account/credentials/${id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ label }),
  });

describe("adding a way to sign in", () => {
  test("an address added to a wallet's user signs in that user", async () => {
    const { browser, userId } = await signedIn(url);
    const wallet = new FastWallet();
    const sid = await answerAddCode(browser, wallet);
    expect((await add(browser, sid)).status).toBe(201);
    expect((await credentialsOf(userId)).map(({ value }) => value)).toContain(wallet.address);
    const later = await answeredFast(url, wallet);
    await decide(later.browser, later.sid, "continue");
    expect(await userIdOf(later.browser)).toBe(userId);
  });

  test("a key added to an address's user signs in that user, and needs no account of its own", async () => {
    const { browser, sid: first } = await answeredFast(url);
    await enterDashboard(browser, first);
    const userId = await userIdOf(browser);
    const wallet = new TestWallet();
    expect((await add(browser, await answerAddCode(browser, wallet))).status).toBe(201);
    const later = await registered(url, wallet);
    await decide(later.browser, later.sid, "continue");
    expect(await userIdOf(later.browser)).toBe(userId);
  });

  test("does not change who is signed in, and cannot be used to sign in", async () => {
    const { browser, userId } = await signedIn(url);
    const sid = await answerAddCode(browser, new FastWallet());
    const keySid = await answerAddCode(browser, new TestWallet());
    expect((await browser.signIn("fast", sid)).status).toBe(401);
    expect((await browser.signIn("svc", keySid)).status).toBe(401);
    expect(await userIdOf(browser)).toBe(userId);
  });

  test("happens only when the user confirms it, once", async () => {
    const { browser, userId } = await signedIn(url);
    const sid = await answerAddCode(browser, new FastWallet());
    expect(await credentialsOf(userId)).toHaveLength(1);
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(browser, sid)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await credentialsOf(userId)).toHaveLength(2);
  });

  test("is refused for what another account signs in with, and for what this one has", async () => {
    const wallet = new FastWallet();
    const other = await answeredFast(url, wallet);
    await enterDashboard(other.browser, other.sid);
    const { browser, wallet: own } = await signedIn(url);
    await expectApiError(await add(browser, await answerAddCode(browser, wallet)), 409, "credential_taken");
    await expectApiError(await add(browser, await answerAddCode(browser, own)), 409, "credential_taken");
  });

  test("is refused to another browser, another session of the user, and nobody", async () => {
    const { browser, wallet } = await signedIn(url);
    const sid = await answerAddCode(browser, new FastWallet());
    await expectApiError(await add(new Client(url), sid), 401, "not_signed_in");
    const stranger = (await signedIn(url)).browser;
    await expectApiError(await add(stranger, sid), 404, "session_not_found");
    const second = (await signedIn(url, wallet)).browser;
    await expectApiError(await add(second, sid), 404, "session_not_found");
    stranger.cookies.set("svc-browser", browser.cookies.get("svc-browser") ?? "");
    await expectApiError(await add(stranger, sid), 404, "session_not_found");
    expect((await add(browser, sid)).status).toBe(201);
  });

  test("needs a code that was asked for with this intent", async () => {
    const answered = await answeredFast(url);
    const { browser } = await signedIn(url);
    browser.cookies.set("svc-browser", answered.browser.cookies.get("svc-browser") ?? "");
    await expectApiError(await add(browser, answered.sid), 404, "session_not_found");
  });
});

describe("renaming and removing", () => {
  async function withTwo() {
    const { browser, userId } = await signedIn(url);
    const wallet = new FastWallet();
    await add(browser, await answerAddCode(browser, wallet));
    const rows = await credentialsOf(userId);
    const addressId = rows.find(({ value }) => value === wallet.address)?.id ?? "";
    const keyId = rows.find(({ id }) => id !== addressId)?.id ?? "";
    return { browser, userId, wallet, addressId, keyId };
  }

  test("a name is kept, trimmed, and taken away when empty", async () => {
    const { browser, userId, addressId } = await withTwo();
    expect((await rename(browser, addressId, "  Hardware wallet ")).status).toBe(204);
    expect((await credentialsOf(userId)).map(({ label }) => label)).toContain("Hardware wallet");
    expect((await rename(browser, addressId, "")).status).toBe(204);
    expect((await credentialsOf(userId)).map(({ label }) => label)).toEqual([null, null]);
  });

  test.each([[7], ["x".repeat(61)], ["bi\u202Edi"], ["a\u0000b"], [null]])(
    "the name %j is refused",
    async (label) => {
      const { browser, addressId } = await withTwo();
      await expectApiError(await rename(browser, addressId, label), 400, "invalid_request");
    },
  );

  test("what was removed signs in no more, and its other sessions end", async () => {
    const { browser, userId, wallet, addressId } = await withTwo();
    const opened = await answeredFast(url, wallet);
    await decide(opened.browser, opened.sid, "continue");
    expect(await userIdOf(opened.browser)).toBe(userId);
    const answered = await answeredFast(url, wallet);
    expect((await remove(browser, addressId)).status).toBe(204);
    expect(await userIdOf(opened.browser)).toBeNull();
    expect((await enterDashboard(answered.browser, answered.sid)).path).toBe("/fast?problem=not-signed-in");
    const later = await answeredFast(url, wallet);
    await enterDashboard(later.browser, later.sid);
    expect(await userIdOf(later.browser)).not.toBe(userId);
    expect(await userIdOf(browser)).toBe(userId);
  });

  test("the last one stays", async () => {
    const { browser, userId } = await signedIn(url);
    const [only] = await credentialsOf(userId);
    await expectApiError(await remove(browser, only?.id ?? ""), 409, "last_credential");
    expect(await credentialsOf(userId)).toHaveLength(1);
  });

  test("of two removed at once one stays", async () => {
    for (let round = 0; round < 5; round++) {
      const { browser, userId, addressId, keyId } = await withTwo();
      const statuses = await Promise.all(
        [addressId, keyId].map(async (id) => (await remove(browser, id)).status),
      );
      expect(statuses.toSorted()).toEqual([204, 409]);
      expect(await credentialsOf(userId)).toHaveLength(1);
    }
  });

  test("another user's, an unknown one and no id are told apart by nobody", async () => {
    const { addressId } = await withTwo();
    const { browser } = await signedIn(url);
    for (const id of [addressId, "00000000-0000-4000-8000-000000000000", "x", "' OR 1=1"]) {
      await expectApiError(await remove(browser, encodeURIComponent(id)), 404, "not_found");
      await expectApiError(await rename(browser, encodeURIComponent(id), "x"), 404, "not_found");
    }
  });

  test("nobody changes anything without being signed in, nor from another site", async () => {
    const { browser, addressId } = await withTwo();
    await expectApiError(await remove(new Client(url), addressId), 401, "not_signed_in");
    const foreign = { Origin: "https://evil.example" };
    const path = `/api/account/credentials/${addressId}`;
    await expectApiError(await browser.fetch(path, { method: "DELETE", headers: foreign }), 403, "forbidden");
    await expectApiError(
      await browser.post("/api/account/credentials", { sid: "x" }, foreign),
      403,
      "forbidden",
    );
  });
});
