import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answeredLogin, decide, questionPage } from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { ageApprovals } from "#e2e/support/approval.ts";
import { hostileOrigins } from "#e2e/support/hostile-origins.ts";
import { createMigratedDatabase } from "#e2e/support/migrated-database.ts";
import {
  answerRecovery,
  confirmCodes,
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
import { Client } from "#scripts/kit/client.ts";
import type { TestDatabase } from "#scripts/kit/database.ts";
import { deliverForm, requestFastQr } from "#scripts/kit/fast-login.ts";
import { check, registered, requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { startApp } from "#scripts/kit/start-app.ts";
import type { RunningServer } from "#scripts/kit/start-server.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** Recovery from outside, which takes effect at once. */

const METRICS_TOKEN = "a token for the metrics of these tests";

let database: TestDatabase;
let app: RunningServer;

beforeAll(async () => {
  database = await createMigratedDatabase();
  app = await startApp({
    ...{ DATABASE_URL: database.url, TRUSTED_PROXIES: "1" },
    ...{ LOG_LEVEL: "warn", METRICS_TOKEN },
  });
});
afterAll(async () => {
  await app?.stop();
  await database?.close();
});

const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  sql<Row>(database.url, text, values);
const historyOf = (userId: number | null) => readHistory(database.url, userId);
const keysOf = (userId: number | null) => readKeys(database.url, userId);

/** The changes that a browser's dashboard tells of, apart from the history on the same page. */
async function changesShown(browser: Client): Promise<string> {
  const page = await (await browser.fetch("/dashboard")).text();
  return page.split('id="changes"')[1]?.split("</section>")[0] ?? "";
}

async function recoveryOf(code: string) {
  const { browser, wallet, signIn } = await recover(app.url, code);
  expect(signIn.status).toBe(200);
  return { browser, wallet };
}

describe("recovery codes", () => {
  test("are two, of 24 characters and a check character, made for a signed-in user alone, once approved", async () => {
    const { browser, userId } = await signedIn(app.url);
    await expectApiError(
      await new Client(app.url).post("/api/account/recovery-codes", {}),
      401,
      "not_signed_in",
    );
    await ageApprovals(database.url, userId, 601);
    await expectApiError(await browser.post("/api/account/recovery-codes", {}), 403, "approval_required");
    await ageApprovals(database.url, userId, 0);
    const codes = await newCodes(browser);
    expect(new Set(codes).size).toBe(2);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$/);
    expect(await historyOf(userId)).toContain("recovery_codes_made");
  });

  test("work once both are typed back, in any order and however they are typed, and not before", async () => {
    const { browser } = await signedIn(app.url);
    const codes = await newCodes(browser);
    await expectApiError(await openRecovery(new Client(app.url), codes[0]), 401, "invalid_recovery_code");
    for (const wrong of [
      [codes[0], codes[0]],
      [codes[0], WRONG_CODE],
      ["", ""],
    ]) {
      await expectApiError(await confirmCodes(browser, wrong), 401, "invalid_recovery_code");
    }
    await expectApiError(await confirmCodes(browser, [codes[0]]), 400, "invalid_request");
    await expectApiError(await openRecovery(new Client(app.url), codes[0]), 401, "invalid_recovery_code");
    const careless = codes.map((code) => code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o"));
    const confirmed = await confirmCodes(browser, careless.toReversed());
    expect([confirmed.status, await confirmed.json()]).toEqual([200, { status: "active" }]);
    for (const code of [...codes, ...careless.map((each) => each.replaceAll("1", "l"))]) {
      expect((await openRecovery(new Client(app.url), code)).status).toBe(200);
    }
  });

  test("end when new ones are made, confirmed or not, and so does a recovery that they opened", async () => {
    const { browser, codes, userId } = await userWithCodes(app.url);
    const opened = await recovering(app.url, codes[0]);
    await newCodes(browser);
    for (const code of codes) {
      await expectApiError(await openRecovery(new Client(app.url), code), 401, "invalid_recovery_code");
    }
    const asked = await opened.fetch("/api/svc/qr?mode=register&intent=recover");
    await expectApiError(asked, 401, "invalid_recovery_code");
    expect(await query("SELECT 1 FROM recovery_code WHERE user_id = $1", [userId])).toHaveLength(2);
  });

  test("that take the place of confirmed ones do not work before they are confirmed themselves", async () => {
    const { browser, userId } = await userWithCodes(app.url);
    const codes = await newCodes(browser);
    const check = () => browser.post("/api/account/recovery-codes/check", { code: codes[0] });
    await expectApiError(await openRecovery(new Client(app.url), codes[0]), 401, "invalid_recovery_code");
    await expectApiError(await check(), 401, "invalid_recovery_code");
    expect(await query("SELECT confirmed_at FROM recovery_code WHERE user_id = $1", [userId])).toEqual([
      { confirmed_at: null },
      { confirmed_at: null },
    ]);
    expect((await confirmCodes(browser, codes)).status).toBe(200);
    expect((await check()).status).toBe(200);
    expect((await openRecovery(new Client(app.url), codes[0])).status).toBe(200);
  });

  test("made twice at the same moment are two all the same", async () => {
    const { browser, userId } = await signedIn(app.url);
    for (let round = 0; round < 5; round++) {
      await Promise.all([1, 2, 3, 4].map(() => newCodes(browser)));
      expect(await query("SELECT 1 FROM recovery_code WHERE user_id = $1", [userId])).toHaveLength(2);
    }
  });

  test("can be tried by their user without being spent, five times an hour", async () => {
    const { browser, codes } = await userWithCodes(app.url);
    const stranger = await signedIn(app.url);
    const tryCode = (who: Client, code: string) => who.post("/api/account/recovery-codes/check", { code });
    await expectApiError(await tryCode(new Client(app.url), codes[0]), 401, "not_signed_in");
    await expectApiError(await tryCode(stranger.browser, codes[0]), 401, "invalid_recovery_code");
    for (let times = 0; times < 4; times++) {
      expect(await (await tryCode(browser, codes[0])).json()).toEqual({ status: "active" });
    }
    await expectApiError(await tryCode(browser, WRONG_CODE), 401, "invalid_recovery_code");
    await expectApiError(await tryCode(browser, codes[0]), 429, "rate_limited");
    // The real thing has tries of its own.
    browser.cookies.clear();
    expect((await openRecovery(browser, codes[0])).status).toBe(200);
  });
});

describe("a code that is entered", () => {
  test("is refused with one text, whether it is wrong, used, unconfirmed, replaced or malformed", async () => {
    const used = await userWithCodes(app.url);
    await recoveryOf(used.codes[0]);
    const unconfirmed = await newCodes((await signedIn(app.url)).browser);
    const replaced = await userWithCodes(app.url);
    await newCodes(replaced.browser);
    const wrong = [
      WRONG_CODE,
      used.codes[0],
      unconfirmed[0],
      replaced.codes[0],
      "",
      "x",
      "\u{1F511}",
      "-".repeat(200),
      "A".repeat(1000),
    ];
    const answers = new Set<string>();
    for (const code of wrong) {
      const response = await openRecovery(new Client(app.url), code);
      expect(response.headers.getSetCookie()).toEqual([]);
      answers.add(`${response.status} ${await response.text()}`);
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^401 .*"code":"invalid_recovery_code"/);
  });

  test("opens a permission of fifteen minutes in an HttpOnly cookie, and signs nobody in", async () => {
    const { codes, browser: old, userId, wallet } = await userWithCodes(app.url);
    const { browser: elsewhere } = await signedIn(app.url, wallet);
    const browser = new Client(app.url);
    const response = await openRecovery(browser, codes[0]);
    const body = await response.json();
    expect([response.status, Object.keys(body).toSorted(), body.status]).toEqual([
      200,
      ["expires_at", "status"],
      "open",
    ]);
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

  test("can be tried five times an hour from one address, whatever is tried", async () => {
    const { codes } = await userWithCodes(app.url);
    const browser = new Client(app.url);
    for (let times = 0; times < 5; times++)
      expect((await openRecovery(browser, WRONG_CODE)).status).toBe(401);
    const refused = await openRecovery(browser, codes[0]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
    await expectApiError(refused, 429, "rate_limited");
    expect((await openRecovery(new Client(app.url), codes[0])).status).toBe(200);
  });

  test("opens a recovery at a twenty-first address when twenty have used up their tries; the operator is warned", async () => {
    const { browser, codes } = await userWithCodes(app.url);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const thief = new Client(app.url);
        for (let times = 0; times < 5; times++) await openRecovery(thief, WRONG_CODE);
        await expectApiError(await openRecovery(thief, WRONG_CODE), 429, "rate_limited");
      }),
    );
    expect((await openRecovery(new Client(app.url), WRONG_CODE)).status).toBe(401);
    expect((await openRecovery(new Client(app.url), codes[0])).status).toBe(200);
    const checked = await browser.post("/api/account/recovery-codes/check", { code: codes[1] });
    expect(checked.status).toBe(200);

    const warning = "more than 100 wrong recovery codes within an hour";
    await expect.poll(() => app.output().split(warning).length - 1).toBe(1);
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = await (await fetch(`${app.url}/metrics`, { headers })).text();
    const [, counted] = /^svc_recovery_wrong_codes_total (\d+)$/m.exec(metrics) ?? [];
    expect(Number(counted)).toBeGreaterThan(100);
  });

  test.each(hostileOrigins("http://localhost:1"))(
    "is not taken from another site, by %s, and uses up no try",
    async (_, headers) => {
      const browser = new Client(app.url);
      for (let times = 0; times < 6; times++) {
        const response = await browser.post("/api/recovery", { code: WRONG_CODE }, headers);
        await expectApiError(response, 403, "forbidden");
      }
      expect(await query("SELECT 1 FROM rate_limit WHERE key = $1", [`recovery:${browser.address}`])).toEqual(
        [],
      );
    },
  );

  test.each([[{}], [{ code: 5 }], [{ code: null }], [[]]])("%j is no code at all: 400", async (body) => {
    await expectApiError(await new Client(app.url).post("/api/recovery", body), 400, "invalid_request");
  });
});

describe("the new key's code", () => {
  test("is issued to a browser with a permission alone, for a registration, and says that it recovers", async () => {
    const { codes } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    for (const path of ["/api/svc/qr?mode=register&intent=recover", "/api/getqrcode?intent=recover"]) {
      await expectApiErrorOrText(await new Client(app.url).fetch(path), 401);
    }
    const login = await browser.fetch("/api/svc/qr?mode=login&intent=recover");
    await expectApiError(login, 400, "invalid_request");
    const { qr } = await requestRecoveryQr(browser);
    expect(new URL(qr).searchParams.get("intent")).toBe("recover");
    expect(new URL(qr).searchParams.get("webhook")).toBe(`${app.url}/webhook/register`);
  });

  test("is dead once the fifteen minutes are over, and the recovery code is not used up", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const { sid, challenge } = await requestRecoveryQr(browser);
    const [early, late] = [new TestWallet(), new TestWallet()];
    const answered = await answerRecovery(browser, early);
    await query("UPDATE recovery SET expires_at = now() - interval '1 min' WHERE user_id = $1", [userId]);
    const response = await new Client(app.url).post("/webhook/register", late.response(challenge));
    await expectApiError(response, 408, "challenge_expired");
    for (const each of [sid, answered.sid]) expect((await browser.signIn("svc", each)).status).toBe(401);
    expect((await browser.fetch("/api/svc/qr?mode=register&intent=recover")).status).toBe(401);
    expect(await keysOf(userId)).toHaveLength(1);
    await recoveryOf(codes[0]);
  });

  test("answered by somebody who saw it binds nothing: the browser's user sees another key, and asks again", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const thief = new TestWallet();
    const relayed = await answerRecovery(browser, thief);
    expect(relayed.response.status).toBe(200);
    const page = await (await browser.fetch(`/recover?sid=${relayed.sid}`)).text();
    expect(page).toContain(thief.fingerprint());
    expect(await keysOf(userId)).toHaveLength(1);
    // Nor does the thief's own browser get anything of it.
    expect((await new Client(app.url).signIn("svc", relayed.sid)).status).toBe(401);
    const own = new TestWallet();
    const { sid } = await answerRecovery(browser, own);
    expect(sid).not.toBe(relayed.sid);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect((await keysOf(userId)).map(({ value }) => value)).not.toContain(thief.publicKey);
  });

  test("takes over no key that has an account: not another user's, and not this one's own", async () => {
    const { codes, userId, wallet } = await userWithCodes(app.url);
    const other = await signedIn(app.url);
    const browser = await recovering(app.url, codes[0]);
    for (const held of [other.wallet, wallet]) {
      const { sid, response } = await answerRecovery(browser, held);
      await expectApiError(response, 406, "invalid_signature");
      expect(await check(browser, sid)).toEqual({ status: "pending" });
      expect((await browser.signIn("svc", sid)).status).toBe(401);
    }
    expect(await userIdOf(browser)).toBeNull();
    expect((await signedIn(app.url, other.wallet)).userId).toBe(other.userId);
    expect(await keysOf(userId)).toHaveLength(1);
  });

  test("takes over no key that got an account since it answered", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const wallet = new TestWallet();
    const { sid } = await answerRecovery(browser, wallet);
    const other = await signedIn(app.url, wallet);
    expect((await browser.signIn("svc", sid)).status).toBe(401);
    expect(await keysOf(userId)).toHaveLength(1);
    expect((await signedIn(app.url, wallet)).userId).toBe(other.userId);
  });

  test("is finished only by the browser that holds both its cookies", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const { sid } = await answerRecovery(browser, new TestWallet());
    const thieves = ["svc-recovery", "svc-browser"].map((name) => {
      const thief = new Client(app.url);
      thief.cookies.set(name, browser.cookies.get(name) ?? "");
      return thief;
    });
    for (const thief of [...thieves, new Client(app.url)]) {
      expect((await thief.signIn("svc", sid)).status).toBe(401);
      expect(await userIdOf(thief)).toBeNull();
    }
    expect(await keysOf(userId)).toHaveLength(1);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
  });

  test("is chosen in no other browser, though that one holds the recovery's cookie and one of its own", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const { sid } = await answerRecovery(browser, new TestWallet());
    const thief = new Client(app.url);
    await requestQr(thief);
    thief.cookies.set("svc-recovery", browser.cookies.get("svc-recovery") ?? "");
    expect((await thief.signIn("svc", sid)).status).toBe(401);
    expect(await userIdOf(thief)).toBeNull();
    expect(await query("SELECT credential, finished_at FROM recovery WHERE user_id = $1", [userId])).toEqual([
      { credential: null, finished_at: null },
    ]);
    expect(await keysOf(userId)).toHaveLength(1);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await keysOf(userId)).toHaveLength(2);
  });

  test("becomes the key of no other recovery, in the same browser neither", async () => {
    const [one, other] = [await userWithCodes(app.url), await userWithCodes(app.url)];
    const browser = await recovering(app.url, one.codes[0]);
    const { sid } = await answerRecovery(browser, new TestWallet());
    expect((await openRecovery(browser, other.codes[0])).status).toBe(200);
    expect((await browser.signIn("svc", sid)).status).toBe(401);
    for (const { userId } of [one, other]) expect(await keysOf(userId)).toHaveLength(1);
  });

  test("a planted recovery cookie changes no login: the victim's key stays the victim's", async () => {
    const attacker = await userWithCodes(app.url);
    const planted = (await recovering(app.url, attacker.codes[0])).cookies.get("svc-recovery") ?? "";
    const { browser, sid, wallet } = await registered(app.url);
    browser.cookies.set("svc-recovery", planted);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await userIdOf(browser)).not.toBe(attacker.userId);
    expect((await keysOf(attacker.userId)).map(({ value }) => value)).not.toContain(wallet.publicKey);
    // Whoever looks at the page of recovery sees which account it is.
    const page = await (await browser.fetch("/recover")).text();
    expect(page.replaceAll("<!-- -->", "")).toContain(`You are recovering user ${attacker.userId}.`);
  });
});

describe("taking effect at once", () => {
  test("the new key signs in, every other browser is out, the code is gone, and it is told", async () => {
    const { browser: old, codes, userId, wallet: lost } = await userWithCodes(app.url);
    const second = await signedIn(app.url, lost);
    const { browser, wallet } = await recoveryOf(codes[0]);
    expect(await userIdOf(browser)).toBe(userId);
    for (const gone of [old, second.browser]) expect(await userIdOf(gone)).toBeNull();
    await expectApiError(await openRecovery(new Client(app.url), codes[0]), 401, "invalid_recovery_code");
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
    const elsewhere = await signedIn(app.url, lost);
    expect(await (await elsewhere.browser.fetch("/dashboard")).text()).toContain("Account recovered");
    // The other slip works without the one that was used.
    expect((await openRecovery(new Client(app.url), codes[1])).status).toBe(200);
  });

  test("the new key's first sign-in in another browser stops at the account, which its holder takes or refuses", async () => {
    // Whoever relays the code of their own recovery as one that creates an account finds the victim's key bound to theirs.
    const { codes, userId } = await userWithCodes(app.url);
    const { wallet: victim } = await recoveryOf(codes[0]);
    const browser = new Client(app.url);
    const sid = await answeredLogin(victim, browser);
    const stopped = await (await browser.signIn("svc", sid)).json();
    expect(new URL(stopped.url).pathname).toBe("/login/added");
    expect(await userIdOf(browser)).toBeNull();
    expect(await questionPage(browser, sid)).toContain("Is this your account?");
    await decide(browser, sid, "not-mine");
    expect(await userIdOf(browser)).toBeNull();
    expect((await keysOf(userId)).map(({ value }) => value)).not.toContain(victim.publicKey);
    expect((await signedIn(app.url, victim)).userId).not.toBe(userId);

    const { wallet: own } = await recoveryOf(codes[1]);
    const second = new Client(app.url);
    const secondSid = await answeredLogin(own, second);
    await second.signIn("svc", secondSid);
    await decide(second, secondSid, "continue");
    expect(await userIdOf(second)).toBe(userId);
    expect((await signedIn(app.url, own)).userId).toBe(userId);
  });

  test("the key from before can be removed, by whoever has a stolen phone's account back", async () => {
    const { codes, userId, wallet: stolen } = await userWithCodes(app.url);
    const { browser } = await recoveryOf(codes[0]);
    const thief = await signedIn(app.url, stolen);
    const [key] = await query<{ id: string }>("SELECT id FROM credential WHERE value = $1", [
      stolen.publicKey,
    ]);
    expect((await browser.fetch(`/api/account/credentials/${key?.id}`, { method: "DELETE" })).status).toBe(
      204,
    );
    expect(await userIdOf(thief.browser)).toBeNull();
    expect((await signedIn(app.url, stolen)).userId).not.toBe(userId);
  });

  test("ends the logins through the hosted API that the user's keys have answered, and nobody else's", async () => {
    const { codes, wallet: lost } = await userWithCodes(app.url);
    const { wallet: others } = await signedIn(app.url);
    const answered = async (publicKey: string) => {
      const sid = crypto.randomUUID();
      await query(
        `INSERT INTO hosted_login (session_id, browser_hash, created_at, event_id, public_key, authenticated_at)
         VALUES ($1, '\\x01', now(), $1, $2, now())`,
        [sid, publicKey],
      );
      return sid;
    };
    const [own, other] = [await answered(lost.publicKey), await answered(others.publicKey)];
    await recoveryOf(codes[0]);
    const left = "SELECT session_id FROM hosted_login WHERE session_id = ANY($1)";
    expect(await query(left, [[own, other]])).toEqual([{ session_id: other }]);
  });

  test("takes the recovery cookie away, and is not done twice by a sign-in that is asked for again", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const { sid } = await answerRecovery(browser, new TestWallet());
    const before = new Map(browser.cookies);
    const attempt = { attempt: "0123456789abcdef".repeat(2) };
    expect((await browser.signIn("svc", sid, attempt)).status).toBe(200);
    expect(browser.cookies.has("svc-recovery")).toBe(false);
    // Its answer got lost: the browser asks again with what it had.
    for (const [name, value] of before) browser.cookies.set(name, value);
    expect((await browser.signIn("svc", sid, attempt)).status).toBe(200);
    expect(await userIdOf(browser)).toBe(userId);
    expect(await keysOf(userId)).toHaveLength(2);
  });

  test("of twenty recoveries at once with one code exactly one binds its key", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const tries = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const browser = await recovering(app.url, codes[0]);
        return { browser, sid: (await answerRecovery(browser, new TestWallet())).sid };
      }),
    );
    await Promise.all(tries.map(({ browser, sid }) => browser.signIn("svc", sid)));
    const users = await Promise.all(tries.map(({ browser }) => userIdOf(browser)));
    expect(users.filter((each) => each === userId)).toHaveLength(1);
    expect(users.filter((each) => each !== null)).toHaveLength(1);
    expect(await keysOf(userId)).toHaveLength(2);
    expect(await query("SELECT 1 FROM recovery_code WHERE user_id = $1", [userId])).toHaveLength(1);
  });

  test("and so it is of twenty sign-ins with one answer", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const { sid } = await answerRecovery(browser, new TestWallet());
    const signedIn = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const copy = browser.copy();
        await copy.signIn("svc", sid);
        return copy.cookies.has("next-auth.session-token");
      }),
    );
    expect(signedIn.filter(Boolean)).toHaveLength(1);
    expect(await keysOf(userId)).toHaveLength(2);
    expect(await query("SELECT 1 FROM browser_session WHERE user_id = $1", [userId])).toHaveLength(1);
  });

  test("an address takes part as a key does", async () => {
    const { codes, userId } = await userWithCodes(app.url);
    const browser = await recovering(app.url, codes[0]);
    const { qr, sid } = await requestFastQr(browser, { intent: "recover" });
    expect(new URL(qr).searchParams.get("intent")).toBe("recover");
    const wallet = new FastWallet();
    expect((await deliverForm(new Client(app.url), qr, wallet.fields(qr))).status).toBe(200);
    expect((await browser.signIn("fast", sid)).status).toBe(200);
    expect(await userIdOf(browser)).toBe(userId);
    // And no address that has an account is taken over.
    const other = await recovering(app.url, codes[1]);
    const again = await requestFastQr(other, { intent: "recover" });
    expect((await deliverForm(new Client(app.url), again.qr, wallet.fields(again.qr))).status).toBe(401);
  });
});

async function expectApiErrorOrText(response: Response, status: number): Promise<void> {
  expect(response.status).toBe(status);
  expect(await response.text()).toContain("recovery code");
}

test("a login without a recovery is as it was, with the cookie of one or without", async () => {
  const { codes } = await userWithCodes(app.url);
  const browser = await recovering(app.url, codes[0]);
  const { sid, challenge } = await requestQr(browser, "register");
  const wallet = new TestWallet();
  expect((await new Client(app.url).post("/webhook/register", wallet.response(challenge))).status).toBe(200);
  expect((await browser.signIn("svc", sid)).status).toBe(200);
  expect(await keysOf(await userIdOf(browser))).toEqual([{ value: wallet.publicKey, before: false }]);
  expect(browser.cookies.has("svc-recovery")).toBe(true);
});
