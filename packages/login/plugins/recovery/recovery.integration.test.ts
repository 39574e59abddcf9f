import { beforeEach, describe, expect, test } from "vitest";
import { createLogin } from "../../index.ts";
import {
  createUserWithCodes,
  newClientHeaders,
  RECOVERY_QUERY,
  recoverUser,
  SITE_SETTINGS,
  SiteBrowser,
  signInBrowser,
  startRecovery,
  startSite,
} from "../../site/tests/site.fixture.ts";
import { VirtualWallet } from "../../testing/virtual-wallet.ts";

/**
 * Recovery through the endpoints that this application shares with all sites. app/api/recovery tests how recovery
 * affects the other parts of this application.
 */

const WRONG = "00000-00000-00000-00000-00000";
const events: string[] = [];
const failures: unknown[][] = [];
/** Runs after a recovery has taken effect and before its browser is signed in. */
let afterRecovered: () => Promise<void> = async () => {};

const site = startSite((databaseUrl) =>
  createLogin(async () => ({
    ...SITE_SETTINGS,
    databaseUrl,
    async onEvent({ kind, userId }) {
      events.push(`${kind} ${userId}`);
      if (kind === "recovered") await afterRecovered();
    },
    onFailure: (...failure) => void failures.push(failure),
  })),
);
beforeEach(() => {
  events.length = 0;
  afterRecovered = async () => {};
});

const open = (browser: SiteBrowser, code: unknown, headers = {}) =>
  browser.send("POST", "/api/recovery", { code }, headers);

async function codeOf(answer: Response): Promise<string> {
  return `${answer.status} ${(await answer.json()).error?.code}`;
}

describe("a lost wallet", () => {
  test("is replaced by the new key, and all other sessions end", async () => {
    const {
      browser: oldBrowser,
      codes,
      userId,
      wallet: lostWallet,
    } = await createUserWithCodes(site().login);
    const browser = await startRecovery(site().login, codes[0]);
    expect(await browser.userId()).toBeNull();
    const wallet = new VirtualWallet();
    const { sid, status } = await browser.answerLogin(RECOVERY_QUERY, wallet);
    expect(status).toBe(200);
    expect(await site().login.recovery.ofBrowser(browser.headers, sid)).toMatchObject({
      ...{ status: "answered", userId, sid, waits: false },
    });
    expect(await browser.signIn(sid)).toBe(200);
    expect([await browser.userId(), await oldBrowser.userId()]).toEqual([userId, null]);
    expect(browser.cookies.has("__Host-svc-recovery")).toBe(false);
    expect(await codeOf(await open(new SiteBrowser(site().login), codes[0]))).toBe(
      "401 invalid_recovery_code",
    );
    expect(events).toEqual(
      ["recovery_codes_made", "recovery_opened", "recovered"].map((kind) => `${kind} ${userId}`),
    );
    expect(await site().login.recovery.ofAccount(browser.headers)).toMatchObject({
      ...{
        signInMethods: 2,
        waysBefore: 1,
        codes: { active: 1 },
        recoveredAt: expect.any(String),
        pending: null,
      },
    });

    // The thief of the wallet has access until its key is removed.
    const thief = await signInBrowser(site().login, lostWallet);
    expect(thief.userId).toBe(userId);
    const response = await browser.send("DELETE", "/api/account/credentials/before-recovery");
    expect(response.status).toBe(204);
    expect([await thief.browser.userId(), await browser.userId()]).toEqual([null, userId]);
    expect((await signInBrowser(site().login, lostWallet)).userId).not.toBe(userId);
  });

  test("is not replaced if the new wallet undoes its answer before the redemption", async () => {
    const { browser: oldBrowser, codes } = await createUserWithCodes(site().login);
    const browser = await startRecovery(site().login, codes[0]);
    const { sid, undo = "" } = await browser.answerLogin(RECOVERY_QUERY, new VirtualWallet());
    let undoneCount = 0;
    afterRecovered = async () => {
      undoneCount = (
        await site().login.routes.POST(new Request(undo, { method: "POST", headers: newClientHeaders() }))
      ).status;
    };
    const answer = await browser.send(
      "POST",
      "/api/svc/sign-in",
      { sid },
      { "Sec-Fetch-Site": "same-origin" },
    );
    expect([undoneCount, answer.status]).toEqual([200, 401]);
    expect((await answer.json()).error.message).toMatch(
      /^The account is recovered, but this sign-in was undone/,
    );
    expect([await browser.userId(), await oldBrowser.userId()]).toEqual([null, null]);
  });

  test("is replaced by a key whose first sign-in elsewhere requires its holder's confirmation", async () => {
    const { codes, userId } = await createUserWithCodes(site().login);
    const recovery = await startRecovery(site().login, codes[0]);
    const victim = new VirtualWallet();
    await recovery.signIn((await recovery.answerLogin(RECOVERY_QUERY, victim)).sid);
    const browser = new SiteBrowser(site().login);
    const { sid } = await browser.answerLogin("mode=login", victim);
    const { pathname, search } = new URL((await (await browser.redeem(sid)).json()).url);
    expect([pathname, await browser.userId()]).toEqual(["/api/account/added-key", null]);
    const page = await browser.send("GET", pathname + search);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    const text = await page.text();
    for (const expectedText of ["Is this your account?", `<dd>${userId}</dd>`, "This is not my account"]) {
      expect(text).toContain(expectedText);
    }
    const decision = new URLSearchParams({ sid, decision: "not-mine" });
    // Neither another browser nor another site's page can decide.
    expect((await new SiteBrowser(site().login).send("POST", pathname, decision)).status).toBe(303);
    expect(
      await codeOf(await browser.send("POST", pathname, decision, { origin: "https://evil.example" })),
    ).toBe("403 forbidden");
    expect(await (await browser.send("GET", pathname + search)).text()).toContain("Is this your account?");
    expect((await browser.send("POST", pathname, decision)).headers.get("location")).toBe(pathname + search);
    expect(await (await browser.send("GET", pathname + search)).text()).toContain("It has been removed");
    expect(await browser.userId()).toBeNull();
    const { userId: ownUserId } = await signInBrowser(site().login, victim);
    expect(ownUserId).not.toBe(userId);
    // The recovering browser was signed in with the removed key.
    expect(await recovery.userId()).toBeNull();
  });

  test("is replaced only once if twenty attempts use the same code simultaneously", async () => {
    const { codes, userId } = await createUserWithCodes(site().login);
    const tries = [];
    for (let index = 0; index < 20; index++) {
      const browser = await startRecovery(site().login, codes[0]);
      tries.push({ browser, ...(await browser.answerLogin(RECOVERY_QUERY, new VirtualWallet())) });
    }
    await Promise.all(tries.map(({ browser, sid }) => browser.signIn(sid)));
    const users = await Promise.all(tries.map(({ browser }) => browser.userId()));
    expect(users.filter((user) => user !== null)).toEqual([userId]);
  });
});

test("does not remove the old sign-in methods after a recovery if they are the last ones", async () => {
  const { browser, userId, lost, wallet } = await recoverUser(site().login);
  await site().client.query("DELETE FROM credential WHERE value = $1", [wallet.publicKey]);
  await browser.send("DELETE", "/api/account/credentials/before-recovery");
  const findKeys = "SELECT value FROM credential WHERE user_id = $1";
  expect((await site().client.query(findKeys, [userId])).rows).toEqual([{ value: lost.publicKey }]);
  expect((await signInBrowser(site().login, lost)).userId).toBe(userId);
});

describe("a recovery code", () => {
  test("gets the same error whether it is wrong, malformed or not yet confirmed", async () => {
    const codesAnswer = await (await signInBrowser(site().login)).browser.send(
      "POST",
      "/api/account/recovery-codes",
      {},
    );
    const { codes: unconfirmed } = await codesAnswer.json();
    const { codes } = await createUserWithCodes(site().login);
    const browser = new SiteBrowser(site().login);
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      expect(await codeOf(await open(browser, codes[0], headers))).toBe("403 forbidden");
    }
    const answers = new Set<string>();
    for (const code of [WRONG, unconfirmed[0], "", "x", "\u{1F511}"]) {
      const refusal = await open(browser, code);
      expect(refusal.headers.getSetCookie()).toEqual([]);
      answers.add(`${refusal.status} ${await refusal.text()}`);
    }
    expect(answers.size).toBe(1);
    const limited = await open(browser, codes[0]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(await codeOf(limited)).toBe("429 rate_limited");
  });

  test("opens a recovery from a new IP address even if twenty others have used up their attempts", async () => {
    const { codes } = await createUserWithCodes(site().login);
    const thieves = Array.from({ length: 20 }, () => new SiteBrowser(site().login));
    await Promise.all(
      thieves.map(async (thief) => {
        for (let times = 0; times < 5; times++) await open(thief, WRONG);
        expect((await open(thief, WRONG)).status).toBe(429);
      }),
    );
    expect((await open(new SiteBrowser(site().login), WRONG)).status).toBe(401);
    expect((await open(new SiteBrowser(site().login), codes[0])).status).toBe(200);
    const warning = ["recovery codes are tried", "more than 100 wrong recovery codes within an hour"];
    expect(failures.filter(([message]) => message === warning[0])).toEqual([warning]);
  });

  test("opens a recovery for fifteen minutes, only in the browser in which it is entered", async () => {
    const { codes } = await createUserWithCodes(site().login);
    const browser = new SiteBrowser(site().login);
    const response = await open(browser, codes[0]);
    const { status, expires_at } = await response.json();
    expect([status, await browser.userId()]).toEqual(["open", null]);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 900_000)).toBeLessThan(60_000);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-svc-recovery=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });
});

test("issues a QR code with an intent only to a browser that is allowed to use it", async () => {
  const stranger = new SiteBrowser(site().login);
  const ask = async (query: string) => codeOf(await stranger.send("GET", `/api/svc/qr?${query}`));
  expect(await ask(RECOVERY_QUERY)).toBe("401 invalid_recovery_code");
  expect(await ask("mode=login&intent=approve")).toBe("403 approval_required");
  for (const query of ["mode=login&intent=add", "mode=login&intent=recover", "intent="]) {
    expect(await ask(query)).toBe("400 invalid_request");
  }
  // Nor can a code be issued once the recovery's fifteen minutes are over.
  const { codes, userId } = await createUserWithCodes(site().login);
  const lateRecovery = await startRecovery(site().login, codes[0]);
  const expire = "UPDATE recovery SET expires_at = now() - interval '1 min' WHERE user_id = $1";
  await site().client.query(expire, [userId]);
  expect(await codeOf(await lateRecovery.send("GET", `/api/svc/qr?${RECOVERY_QUERY}`))).toBe(
    "401 invalid_recovery_code",
  );
});
