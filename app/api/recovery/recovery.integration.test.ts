import { describe, expect, test } from "vitest";
import { answerAddCode } from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { holdLock } from "#e2e/support/held-lock.ts";
import { hostileOrigins } from "#e2e/support/hostile-origins.ts";
import {
  answerRecovery,
  newCodes,
  openRecovery,
  readHistory,
  readKeys,
  recover,
  recovering,
  requestRecoveryQr,
  userWithCodes,
  WRONG_CODE,
} from "#e2e/support/recovery.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client, expectStatus } from "#scripts/kit/client.ts";
import { deliverForm, requestFastQr } from "#scripts/kit/fast-login.ts";
import { registered, requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/**
 * Recovery from outside, which takes effect at once, beside what is tried on a site that has no other part of this
 * application (lib/login/site/recovery.integration.test.ts).
 */

const historyOf = (userId: number | null) => readHistory(databaseUrl, userId);
const keysOf = (userId: number | null) => readKeys(databaseUrl, userId);

const checkCode = (browser: Client, code: string) =>
  browser.post("/api/account/recovery-codes/check", { code });

async function expectWrong(response: Response | Promise<Response>): Promise<void> {
  await expectApiError(await response, 401, "invalid_recovery_code");
}

/** The changes that a browser's dashboard tells of, apart from the history on the same page. */
async function changesShown(browser: Client): Promise<string> {
  const page = await (await browser.fetch("/dashboard")).text();
  return page.split('id="changes"')[1]?.split("</section>")[0] ?? "";
}

async function recovered(code: string) {
  const { browser, wallet, signIn } = await recover(url, code);
  await expectStatus(signIn);
  return { browser, wallet };
}

/** A user's recovery that a new wallet has answered; its browser has yet to sign in. */
async function answered(wallet = new TestWallet()) {
  const { codes, userId } = await userWithCodes(url);
  const browser = await recovering(url, codes[0]);
  const { sid, response } = await answerRecovery(browser, wallet);
  await expectStatus(response);
  return { codes, userId, browser, sid, wallet };
}

describe("recovery codes", () => {
  test("made twice at the same moment are two all the same", async () => {
    const { browser, userId } = await signedIn(url);
    for (let round = 0; round < 5; round++) {
      await Promise.all([1, 2, 3, 4].map(() => newCodes(browser)));
      expect(await query("SELECT 1 FROM recovery_code WHERE user_id = $1", [userId])).toHaveLength(2);
    }
  });

  test("can be tried by their user without being spent, five times an hour", async () => {
    const { browser, codes } = await userWithCodes(url);
    await expectApiError(await checkCode(new Client(url), codes[0]), 401, "not_signed_in");
    await expectWrong(checkCode((await signedIn(url)).browser, codes[0]));
    for (let times = 0; times < 4; times++) {
      expect(await (await checkCode(browser, codes[0])).json()).toEqual({ status: "active" });
    }
    await expectWrong(checkCode(browser, WRONG_CODE));
    await expectApiError(await checkCode(browser, codes[0]), 429, "rate_limited");
    // The real thing has tries of its own.
    browser.cookies.clear();
    expect((await openRecovery(browser, codes[0])).status).toBe(200);
  });
});

describe("a code that is entered", () => {
  test("opens a permission of fifteen minutes in an HttpOnly cookie, and signs nobody in", async () => {
    const { codes, browser: old, userId, wallet } = await userWithCodes(url);
    const { browser: elsewhere } = await signedIn(url, wallet);
    const browser = new Client(url);
    const response = await openRecovery(browser, codes[0]);
    const body = await response.json();
    expect(body).toEqual({ status: "open", expires_at: expect.any(String) });
    const seconds = (Date.parse(body.expires_at) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(840);
    expect(seconds).toBeLessThan(905);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^svc-recovery=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await userIdOf(browser)).toBeNull();
    expect((await browser.fetch("/dashboard")).headers.get("location")).toContain("/login");
    await expectApiError(await browser.post("/api/account/recovery-codes", {}), 401, "not_signed_in");
    // Its owner is told, and nothing else has happened.
    expect(await historyOf(userId)).toContain("recovery_opened");
    for (const each of [old, elsewhere]) {
      expect(await changesShown(each)).toContain("Recovery begun with one of your codes");
    }
    expect(await userIdOf(old)).toBe(userId);
  });

  test.each(hostileOrigins("http://localhost:1"))(
    "is not taken from another site, by %s, and uses up no try",
    async (_, headers) => {
      const browser = new Client(url);
      for (let times = 0; times < 6; times++) {
        const response = await browser.post("/api/recovery", { code: WRONG_CODE }, headers);
        await expectApiError(response, 403, "forbidden");
      }
      const tries = "SELECT 1 FROM rate_limit WHERE key = $1";
      expect(await query(tries, [`recovery:${browser.address}`])).toEqual([]);
    },
  );

  test.each([[{}], [{ code: 5 }], [{ code: null }], [[]]])("%j is no code at all: 400", async (body) => {
    await expectApiError(await new Client(url).post("/api/recovery", body), 400, "invalid_request");
  });
});

describe("the new key's code", () => {
  test("is dead once the fifteen minutes are over, and the recovery code is not used up", async () => {
    const { codes, userId, browser, sid: early } = await answered();
    const { sid: late, challenge, qr } = await requestRecoveryQr(browser);
    expect(new URL(qr).searchParams.get("intent")).toBe("recover");
    await query("UPDATE recovery SET expires_at = now() - interval '1 min' WHERE user_id = $1", [userId]);
    const response = await new Client(url).post("/webhook/register", new TestWallet().response(challenge));
    await expectApiError(response, 408, "challenge_expired");
    for (const sid of [early, late]) expect((await browser.signIn("svc", sid)).status).toBe(401);
    expect((await browser.fetch("/api/svc/qr?mode=register&intent=recover")).status).toBe(401);
    expect(await keysOf(userId)).toHaveLength(1);
    await recovered(codes[0]);
  });

  test("answered by somebody who saw it binds nothing: the browser's user sees another key, and asks again", async () => {
    const { userId, browser, sid: relayed, wallet: thief } = await answered();
    const page = await (await browser.fetch(`/recover?sid=${relayed}`)).text();
    expect(page).toContain(thief.fingerprint());
    expect(await keysOf(userId)).toHaveLength(1);
    // Nor does the thief's own browser get anything of it.
    expect((await new Client(url).signIn("svc", relayed)).status).toBe(401);
    const { sid } = await answerRecovery(browser, new TestWallet());
    expect(sid).not.toBe(relayed);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect((await keysOf(userId)).map(({ value }) => value)).not.toContain(thief.publicKey);
  });

  test("is finished only by the browser that holds both its cookies, of this recovery and this login", async () => {
    const { userId, browser, sid } = await answered();
    const withCookies = (names: string[], thief = new Client(url)) => {
      for (const name of names) thief.cookies.set(name, browser.cookies.get(name) ?? "");
      return thief;
    };
    const withOwn = new Client(url);
    await requestQr(withOwn);
    for (const thief of [
      new Client(url),
      withCookies(["svc-browser"]),
      withCookies(["svc-recovery"]),
      withCookies(["svc-recovery"], withOwn),
    ]) {
      expect((await thief.signIn("svc", sid)).status).toBe(401);
      expect(await userIdOf(thief)).toBeNull();
    }
    const chosen = "SELECT credential, finished_at FROM recovery WHERE user_id = $1";
    expect(await query(chosen, [userId])).toEqual([{ credential: null, finished_at: null }]);
    expect(await keysOf(userId)).toHaveLength(1);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await keysOf(userId)).toHaveLength(2);
  });

  test("a planted recovery cookie changes no login: the victim's key stays the victim's", async () => {
    const attacker = await userWithCodes(url);
    const planted = (await recovering(url, attacker.codes[0])).cookies.get("svc-recovery") ?? "";
    const { browser, sid, wallet } = await registered(url);
    browser.cookies.set("svc-recovery", planted);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await keysOf(await userIdOf(browser))).toEqual([{ value: wallet.publicKey, before: false }]);
    expect(await keysOf(attacker.userId)).toHaveLength(1);
    // Whoever looks at the page of recovery sees which account it is.
    const page = await (await browser.fetch("/recover")).text();
    expect(page.replaceAll("<!-- -->", "")).toContain(`You are recovering user ${attacker.userId}.`);
  });
});

describe("taking effect at once", () => {
  test("the new key signs in, every other browser is out, the code is gone, and it is told", async () => {
    const { browser: old, codes, userId, wallet: lost } = await userWithCodes(url);
    const second = await signedIn(url, lost);
    const { browser, wallet } = await recovered(codes[0]);
    expect(await userIdOf(browser)).toBe(userId);
    for (const gone of [old, second.browser]) expect(await userIdOf(gone)).toBeNull();
    // Word for word as a code that never was: nobody learns that this one was right once.
    const used = await openRecovery(new Client(url), codes[0]);
    const never = await openRecovery(new Client(url), WRONG_CODE);
    expect(await used.clone().text()).toBe(await never.text());
    await expectWrong(used);
    expect(await keysOf(userId)).toEqual([
      { value: lost.publicKey, before: true },
      { value: wallet.publicKey, before: false },
    ]);
    expect((await historyOf(userId)).filter((kind) => kind.startsWith("recover"))).toEqual([
      "recovery_codes_made",
      "recovery_opened",
      "recovered",
    ]);
    const page = await (await browser.fetch("/dashboard")).text();
    for (const text of ["You recovered this account", "Make new recovery codes", "Before recovery"]) {
      expect(page).toContain(text);
    }
    const news = await changesShown(browser);
    for (const what of ["Recovery codes made", "Recovery begun", "Account recovered"]) {
      expect(news).toContain(what);
    }
    // Another browser of the user's is told, by the key from before too.
    const elsewhere = await signedIn(url, lost);
    expect(await changesShown(elsewhere.browser)).toContain("Account recovered");
    // The other slip works without the one that was used.
    expect((await openRecovery(new Client(url), codes[1])).status).toBe(200);
  });

  test("marks a key too that a browser session is adding at that very moment", async () => {
    const { browser: old, codes, userId, wallet: lost } = await userWithCodes(url);
    const added = new TestWallet();
    const addition = await answerAddCode(old, added);
    const wallet = new TestWallet();
    const browser = await recovering(url, codes[0]);
    const { sid } = await answerRecovery(browser, wallet);
    const lockLogin = "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE";
    const lock = await holdLock(databaseUrl, lockLogin, [addition]);
    // The addition has found its session alive; the recovery, which ends that, has not found the key.
    const adding = old.post("/api/account/credentials", { sid: addition });
    await lock.waiting(1);
    const signingIn = browser.signIn("svc", sid);
    await lock.waiting(2);
    await lock.release();
    expect((await adding).status).toBe(201);
    expect((await signingIn).status).toBe(200);
    expect(await keysOf(userId)).toEqual(
      expect.arrayContaining([
        { value: lost.publicKey, before: true },
        { value: added.publicKey, before: true },
        { value: wallet.publicKey, before: false },
      ]),
    );
    expect(await userIdOf(old)).toBeNull();
  });

  test("ends the logins through the hosted API that the user's keys have answered, and nobody else's", async () => {
    const { codes, wallet: lost } = await userWithCodes(url);
    const { wallet: others } = await signedIn(url);
    const [own, other] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [sid, { publicKey }] of [
      [own, lost],
      [other, others],
    ] as const) {
      await query(
        `INSERT INTO hosted_login (session_id, browser_hash, created_at, event_id, public_key, authenticated_at)
         VALUES ($1, '\\x01', now(), $1, $2, now())`,
        [sid, publicKey],
      );
    }
    await recovered(codes[0]);
    const left = "SELECT session_id FROM hosted_login WHERE session_id = ANY($1)";
    expect(await query(left, [[own, other]])).toEqual([{ session_id: other }]);
  });

  test("takes the recovery cookie away, and is not done twice by a sign-in that is asked for again", async () => {
    const { userId, browser, sid } = await answered();
    const before = browser.copy();
    const attempt = { attempt: "0123456789abcdef".repeat(2) };
    expect((await browser.signIn("svc", sid, attempt)).status).toBe(200);
    expect(browser.cookies.has("svc-recovery")).toBe(false);
    // Its answer got lost: the browser asks again with what it had.
    expect((await before.signIn("svc", sid, attempt)).status).toBe(200);
    expect(await userIdOf(before)).toBe(userId);
    expect(await keysOf(userId)).toHaveLength(2);
  });

  test("is done once, of twenty sign-ins at once with one answer", async () => {
    const { userId, browser, sid } = await answered();
    const copies = Array.from({ length: 20 }, () => browser.copy());
    await Promise.all(copies.map((copy) => copy.signIn("svc", sid)));
    expect(copies.filter(({ cookies }) => cookies.has("next-auth.session-token"))).toHaveLength(1);
    expect(await keysOf(userId)).toHaveLength(2);
    expect(await query("SELECT 1 FROM browser_session WHERE user_id = $1", [userId])).toHaveLength(1);
  });

  test("an address takes part as a key does", async () => {
    const { codes, userId } = await userWithCodes(url);
    const browser = await recovering(url, codes[0]);
    const { qr, sid } = await requestFastQr(browser, { intent: "recover" });
    expect(new URL(qr).searchParams.get("intent")).toBe("recover");
    const wallet = new FastWallet();
    expect((await deliverForm(new Client(url), qr, wallet.fields(qr))).status).toBe(200);
    expect((await browser.signIn("fast", sid)).status).toBe(200);
    expect(await userIdOf(browser)).toBe(userId);
    // And no address that has an account is taken over.
    const other = await recovering(url, codes[1]);
    const again = await requestFastQr(other, { intent: "recover" });
    expect((await deliverForm(new Client(url), again.qr, wallet.fields(again.qr))).status).toBe(401);
  });
});
