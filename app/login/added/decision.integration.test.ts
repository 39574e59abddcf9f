import { describe, expect, test } from "vitest";
import {
  type AddingFlow,
  answeredLogin,
  decide,
  questionPage,
  sessionsBy,
  stoppedAtQuestion,
  storedKey,
} from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { databaseUrl, otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { registered, requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";
import { FastWallet } from "#scripts/kit/test-wallet.ts";

/** What its holder decides about a key that was added elsewhere. */

const TOKEN = "next-auth.session-token";
const ATTEMPT = "0123456789abcdef".repeat(2);
const FLOWS: AddingFlow[] = ["svc", "fast"];

describe("'continue'", () => {
  test.each(FLOWS)("signs in to the account, and makes the key an ordinary one (%s)", async (flow) => {
    const { browser, sid, owner, wallet, value } = await stoppedAtQuestion(url, flow);
    const response = await decide(browser, sid, "continue");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard"]);
    expect(await userIdOf(browser)).toBe(owner.userId);
    expect((await storedKey(databaseUrl, value))[0]?.added_by_session).toBeNull();
    // It stands: the other decision does not undo it.
    await decide(browser, sid, "not-mine");
    expect(await storedKey(databaseUrl, value)).toHaveLength(1);
    expect(await userIdOf(browser)).toBe(owner.userId);
    const later = new Client(otherUrl);
    await later.signIn(flow, await answeredLogin(wallet, later));
    expect(await userIdOf(later)).toBe(owner.userId);
  });

  test("asked for again opens no second session: the same attempt gets the same one", async () => {
    const { browser, sid, owner, value } = await stoppedAtQuestion(url);
    const before = browser.copy(otherUrl);
    await decide(browser, sid, "continue", { attempt: ATTEMPT });
    expect((await decide(before, sid, "continue", { attempt: ATTEMPT })).headers.get("location")).toBe(
      "/dashboard",
    );
    expect(await userIdOf(before)).toBe(owner.userId);
    expect(await sessionsBy(databaseUrl, value)).toHaveLength(1);
    // Another attempt, and no browser at all, get nothing.
    const other = browser.copy();
    other.cookies.delete(TOKEN);
    await decide(other, sid, "continue", { attempt: ATTEMPT.replace("0", "1") });
    await decide(other, sid, "continue");
    expect(await userIdOf(other)).toBeNull();
    const thief = new Client(url);
    await decide(thief, sid, "continue", { attempt: ATTEMPT });
    expect(await userIdOf(thief)).toBeNull();
    expect(await sessionsBy(databaseUrl, value)).toHaveLength(1);
  });

  test("is over with its login, after ten minutes", async () => {
    const { browser, sid, value } = await stoppedAtQuestion(url);
    await ageLogin(databaseUrl, sid, 601);
    for (const decision of ["continue", "not-mine"]) await decide(browser, sid, decision);
    expect(await userIdOf(browser)).toBeNull();
    expect(await storedKey(databaseUrl, value)).toHaveLength(1);
    expect(await questionPage(browser, sid)).toContain("This link is no longer active");
  });
});

describe("'this is not my account'", () => {
  test.each(FLOWS)(
    "removes the key, signs nobody in, and shows in the account's browsers (%s)",
    async (flow) => {
      const { browser, sid, owner, wallet, value } = await stoppedAtQuestion(url, flow);
      // Asked for again, or for the other decision, it says the same.
      for (const decision of ["not-mine", "not-mine", "continue"]) {
        const response = await decide(browser, sid, decision);
        expect([response.status, response.headers.get("location")]).toEqual([303, `/login/added?sid=${sid}`]);
      }
      expect(await storedKey(databaseUrl, value)).toEqual([]);
      expect(await userIdOf(browser)).toBeNull();
      expect(await questionPage(browser, sid)).toContain("It is removed");
      const dashboard = await (await owner.browser.fetch("/dashboard")).text();
      expect(dashboard).toContain("Way to sign in removed by its holder");
      const removals = "SELECT 1 FROM login_event WHERE user_id = $1 AND reason = 'not_mine'";
      expect(await query(removals, [owner.userId])).toHaveLength(1);
      // The key is its holder's again.
      const again = new Client(url);
      if (wallet instanceof FastWallet) await again.signIn("fast", await answeredLogin(wallet, again));
      else {
        const { challenge, sid: own } = await requestQr(again, "register");
        await new Client(url).post("/webhook/register", wallet.response(challenge));
        await again.signIn("svc", own);
      }
      expect(await userIdOf(again)).toEqual(expect.any(Number));
      expect(await userIdOf(again)).not.toBe(owner.userId);
    },
  );

  test("ends what the key has opened elsewhere, and other logins that it answered", async () => {
    const { owner, wallet, browser, sid } = await stoppedAtQuestion(url);
    const own = await answeredLogin(wallet, owner.browser);
    await owner.browser.signIn("svc", own);
    const second = new Client(url);
    const waiting = await answeredLogin(wallet, second);
    await decide(browser, sid, "not-mine");
    expect(await userIdOf(owner.browser)).toBeNull();
    expect((await second.signIn("svc", waiting)).status).toBe(401);
    await decide(second, waiting, "continue");
    expect(await userIdOf(second)).toBeNull();
  });

  test("is possible though the key is the account's last way in", async () => {
    const { owner, browser, sid, value } = await stoppedAtQuestion(url);
    await query("DELETE FROM credential WHERE user_id = $1 AND value <> $2", [owner.userId, value]);
    expect(await questionPage(browser, sid)).toContain("None");
    await decide(browser, sid, "not-mine");
    expect(await storedKey(databaseUrl, value)).toEqual([]);
  });
});

describe("the decision", () => {
  test("is this browser's: nobody else can make it, with the sid, another cookie or from another site", async () => {
    const { browser, sid, value, owner } = await stoppedAtQuestion(url);
    const thief = (await signedIn(url)).browser;
    await requestQr(thief);
    for (const other of [new Client(url), thief, owner.browser]) {
      for (const decision of ["continue", "not-mine"]) await decide(other, sid, decision);
      expect(await questionPage(other, sid)).not.toContain("Created");
    }
    for (const [name, value] of [
      ["Origin", "https://evil.example"],
      ["Sec-Fetch-Site", "cross-site"],
    ] as const) {
      const response = await browser.fetch("/api/account/added-key", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", [name]: value },
        body: new URLSearchParams({ sid, decision: "continue" }).toString(),
      });
      await expectApiError(response, 403, "forbidden");
    }
    expect(await storedKey(databaseUrl, value)).toHaveLength(1);
    expect(await sessionsBy(databaseUrl, value)).toEqual([]);
    await decide(browser, sid, "continue");
    expect(await userIdOf(browser)).toBe(owner.userId);
  });

  test("is one of two: anything else is refused and loses nothing", async () => {
    const { browser, sid, owner } = await stoppedAtQuestion(url);
    for (const decision of ["", "yes", "Continue"]) {
      await expectApiError(await decide(browser, sid, decision), 400, "invalid_request");
    }
    for (const wrong of ["", "\0", "x".repeat(5000), "' OR 1=1 --"]) {
      expect((await decide(browser, wrong, "continue")).status).toBe(303);
    }
    expect(await userIdOf(browser)).toBeNull();
    await decide(browser, sid, "continue");
    expect(await userIdOf(browser)).toBe(owner.userId);
  });

  test("is made once, of any number at once, over two processes", async () => {
    for (let round = 0; round < 8; round++) {
      const { browser, sid, value } = await stoppedAtQuestion(url);
      const decisions = ["continue", "not-mine", "continue", "not-mine"];
      await Promise.all(
        decisions.map((decision, index) => decide(browser.copy(index < 2 ? url : otherUrl), sid, decision)),
      );
      // Either it is removed and nobody is signed in, or it stays and one browser is.
      expect((await sessionsBy(databaseUrl, value)).length).toBe(
        (await storedKey(databaseUrl, value)).length,
      );
    }
  });

  test("is not needed for a key that its user registered with, nor can it be forced on one", async () => {
    const { browser, sid, wallet } = await registered(url);
    await decide(browser, sid, "not-mine");
    expect(await storedKey(databaseUrl, wallet.publicKey)).toHaveLength(1);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await userIdOf(browser)).toEqual(expect.any(Number));
  });
});
