import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { holdLock } from "../../../e2e/support/held-lock.ts";
import {
  type Issued,
  inSeconds,
  newHash,
  newKey,
  startLoginStore,
} from "../../../e2e/support/login-store.ts";
import { getRedemptionFunction } from "./redeem-login.ts";

/** docs/protocol.md#42-redemption */

const store = startLoginStore();

const redeemedAt = async ({ sid }: Issued) => (await store().readLogin(sid)).redeemed_at;

async function answeredLogin(at?: Date) {
  const user = await store().newUser();
  return { ...user, login: await store().answerLogin(user, at ? { at } : {}) };
}

async function expectNothing(userId: number, login: Issued) {
  expect(await store().listSessions(userId)).toEqual([]);
  expect(await redeemedAt(login)).toBeNull();
}

describe("an answered login", () => {
  test("signs its user in and records what the wallet and the browser sent", async () => {
    const { key, userId, login } = await answeredLogin();
    const [now, browserSessionId] = [new Date(), randomUUID()];
    const expiresAt = inSeconds(7 * 24 * 3600, now);
    expect(await store().redeem(login, { now, browserSessionId, expiresAt })).toEqual({ userId });
    const device_info = { platform: "ios", version: "1.2.3", device_id: "device-1" };
    expect(await store().listSessions(userId)).toMatchObject([
      {
        ...{ id: browserSessionId, user_id: userId, credential: key, device_info, user_agent: "Firefox" },
        ...{ created_at: now, last_seen_at: now, expires_at: expiresAt },
      },
    ]);
    expect(await redeemedAt(login)).toEqual(now);
    const history = "SELECT * FROM login_event WHERE sid = $1 AND kind = 'session_created'";
    expect(await store().query(history, [login.sid])).toMatchObject([
      { at: now, user_id: userId, credential: key, device_info, user_agent: "Firefox" },
    ]);
  });

  test("is redeemed only once", async () => {
    const { userId, login } = await answeredLogin();
    expect(await store().redeem(login)).toEqual({ userId });
    expect(await store().redeem(login)).toBeNull();
    expect(await store().listSessions(userId)).toHaveLength(1);
  });

  test("is redeemed once if two simultaneous requests find it unredeemed", async () => {
    const { userId, login } = await answeredLogin();
    const lock = await holdLock(store().url, "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE", [
      login.sid,
    ]);
    const both = [store().redeem(login), store().redeem(login)];
    await lock.waiting(2);
    await lock.release();
    expect((await Promise.all(both)).filter((outcome) => outcome !== null)).toEqual([{ userId }]);
    expect(await store().listSessions(userId)).toHaveLength(1);
  });

  test("is redeemed only with its browser's secret", async () => {
    const { userId, login } = await answeredLogin();
    expect(await store().redeem(login, { browserHash: newHash() })).toBeNull();
    await expectNothing(userId, login);
    expect(await store().redeem(login)).toEqual({ userId });
  });

  test("does not change the browser's other logins when it is redeemed", async () => {
    const { key, userId, login } = await answeredLogin();
    const { browserHash } = login;
    const other = await store().answerLogin({ key }, { browserHash });
    const pending = await store().issue({ browserHash });
    expect(await store().redeem(pending)).toBeNull();
    await expectNothing(userId, login);
    expect(await store().redeem(login)).toEqual({ userId });
    expect(await redeemedAt(other)).toBeNull();
    expect(await store().redeem(other)).toEqual({ userId });
  });

  test("can be redeemed for ten minutes, to the millisecond", async () => {
    const now = new Date();
    const { userId, login } = await answeredLogin(now);
    expect(await store().redeem(login, { now: inSeconds(600, now) })).toBeNull();
    await expectNothing(userId, login);
    expect(await store().redeem(login, { now: inSeconds(599.999, now) })).toEqual({ userId });
  });

  test("is not redeemed in a statement that runs ten seconds late", async () => {
    const { userId, login } = await answeredLogin();
    expect(await store().redeem(login, { now: inSeconds(-10) })).toBeNull();
    await expectNothing(userId, login);
    expect(await store().redeem(login, { now: inSeconds(-5) })).toEqual({ userId });
  });

  test("is redeemed only by its own flow", async () => {
    const { key, userId, login } = await answeredLogin();
    for (const flow of ["fast", "hosted"]) {
      await store().query("UPDATE login_session SET flow = $2::flow WHERE sid = $1", [login.sid, flow]);
      expect(await store().redeem(login)).toBeNull();
      await expectNothing(userId, login);
    }
    expect(await store().redeem(await store().answerLogin({ key }))).toEqual({ userId });
  });

  test.each(["adds_to_session", "recovers"])(
    "is not redeemed as a sign-in if its code has an intent (%s)",
    async (asker) => {
      const { userId, login } = await answeredLogin();
      await store().query(`UPDATE login_session SET ${asker} = $2 WHERE sid = $1`, [login.sid, randomUUID()]);
      expect(await store().redeem(login)).toBeNull();
      await expectNothing(userId, login);
    },
  );
});

describe("the key that answered", () => {
  test("cannot be used to sign in if it has been removed", async () => {
    const { key, userId, login } = await answeredLogin();
    await store().query("DELETE FROM credential WHERE value = $1", [key]);
    expect(await store().redeem(login)).toBeNull();
    await expectNothing(userId, login);
  });

  test("cannot be used to sign in if it has moved to another user", async () => {
    const { key, userId, login } = await answeredLogin();
    await store().query("DELETE FROM credential WHERE value = $1", [key]);
    const other = await store().newUser(key);
    expect(other.userId).not.toBe(userId);
    expect(await store().redeem(login)).toBeNull();
    await expectNothing(userId, login);
    expect(await store().listSessions(other.userId)).toEqual([]);
  });

  test("delays the sign-in while it is being removed, and the sign-in then fails", async () => {
    const { key, userId, login } = await answeredLogin();
    const removal = await holdLock(store().url, "DELETE FROM credential WHERE value = $1", [key]);
    const redemption = store().redeem(login);
    await removal.waiting(1);
    await removal.release();
    expect(await redemption).toBeNull();
    await expectNothing(userId, login);
  });
});

describe("a key that was added", () => {
  async function addKey(userId: number, adder: string): Promise<string> {
    const key = newKey();
    await store().query(
      `INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session)
       VALUES (gen_random_uuid(), $1, 'public_key', $2, now(), $3)`,
      [userId, key, adder],
    );
    return key;
  }

  async function addedKey() {
    const user = await store().newUser();
    const { sessionId: adder } = await store().openSession(user);
    const key = await addKey(user.userId, adder);
    const sessions = async () => (await store().listSessions(user.userId)).length;
    return { ...user, key, adder, sessions, login: await store().answerLogin({ key }) };
  }
  const asksFor = async (key: string) =>
    (
      await store().query<{ added_by_session: string | null }>(
        "SELECT added_by_session FROM credential WHERE value = $1",
        [key],
      )
    )[0]?.added_by_session;

  test("does not sign its holder in until the holder has confirmed it", async () => {
    const { login, sessions } = await addedKey();
    const stranger = await store().openSession(await store().newUser());
    for (const currentSessionId of [null, randomUUID(), stranger.sessionId]) {
      expect(await store().redeem(login, { currentSessionId })).toBe("unconfirmed");
    }
    expect(await sessions()).toBe(1);
    expect(await redeemedAt(login)).toBeNull();
  });

  test("can sign in without confirmation in the browser that added it", async () => {
    const { key, userId, login, adder } = await addedKey();
    expect(await store().redeem(login, { currentSessionId: adder })).toEqual({ userId });
    expect(await asksFor(key)).toBe(adder);
    // The login has ended, so there is no question to answer.
    expect(await store().redeem(login)).toBeNull();
    expect(await store().redeem(await store().answerLogin({ key }))).toBe("unconfirmed");
  });

  test("requires confirmation even in that browser if the session that added the key has ended or expired", async () => {
    const { login, adder } = await addedKey();
    const set = (expires: Date) =>
      store().query("UPDATE browser_session SET expires_at = $2 WHERE id = $1", [adder, expires]);
    const now = new Date();
    await set(now);
    expect(await store().redeem(login, { now, currentSessionId: adder })).toBe("unconfirmed");
    await store().query("DELETE FROM browser_session WHERE id = $1", [adder]);
    expect(await store().redeem(login, { currentSessionId: adder })).toBe("unconfirmed");
  });

  test("requires no further confirmation once its holder has continued", async () => {
    const { key, userId, login, adder } = await addedKey();
    const other = await addKey(userId, adder);
    expect(await store().redeem(login, { holderConfirms: true })).toEqual({ userId });
    expect(await asksFor(key)).toBeNull();
    expect(await asksFor(other)).toBe(adder);
    expect(await store().redeem(await store().answerLogin({ key }))).toEqual({ userId });
    expect(await store().redeem(await store().answerLogin({ key: other }))).toBe("unconfirmed");
  });
});

describe("a flow that registers users at sign-in", () => {
  const logins = getRedemptionFunction("fast", true);

  /** `userId` is the address's user at the time of the answer. */
  async function answeredBy(address: string, userId: number | null) {
    const login = await store().issue({ flow: "fast" });
    await store().query(
      `UPDATE login_session SET status = 'authenticated', authenticated_at = now(), credential = $2, user_id = $3
       WHERE sid = $1`,
      [login.sid, address, userId],
    );
    return login;
  }
  const holdersOf = (address: string) =>
    store().query<{ user_id: number; kind: string }>(
      "SELECT user_id, kind FROM credential WHERE value = $1",
      [address],
    );

  test("creates a user for a new address, and the next sign-in finds it", async () => {
    const address = `bc1${randomUUID()}`;
    const login = await answeredBy(address, null);
    const outcome = await store().redeem(login, { logins });
    const [holder] = await holdersOf(address);
    expect(holder?.kind).toBe("address");
    expect(outcome).toEqual({ userId: holder?.user_id });
    expect((await store().readLogin(login.sid)).user_id).toBe(holder?.user_id);
    const again = await answeredBy(address, holder?.user_id ?? null);
    expect(await store().redeem(again, { logins })).toEqual(outcome);
    expect(await holdersOf(address)).toHaveLength(1);
    const withoutKey =
      "SELECT 1 FROM user_account AS u WHERE id >= $1 AND NOT EXISTS (SELECT 1 FROM credential WHERE user_id = u.id)";
    expect(await store().query(withoutKey, [holder?.user_id])).toEqual([]);
  });

  test("signs in the user who has added the address since the wallet answered", async () => {
    const address = `bc1${randomUUID()}`;
    const [login, other] = [await answeredBy(address, null), await answeredBy(`bc1${randomUUID()}`, null)];
    const outcome = await store().redeem(await answeredBy(address, null), { logins });
    expect(await store().redeem(login, { logins })).toEqual(outcome);
    const [holder] = await holdersOf(address);
    expect(outcome).toEqual({ userId: holder?.user_id });
    expect((await store().readLogin(login.sid)).user_id).toBe(holder?.user_id);
    expect((await store().readLogin(other.sid)).user_id).toBeNull();
  });

  test("creates no user for a new address if automatic registration is off", async () => {
    const address = `bc1${randomUUID()}`;
    const login = await answeredBy(address, null);
    expect(await store().redeem(login, { logins: getRedemptionFunction("fast", false) })).toBeNull();
    expect(await holdersOf(address)).toEqual([]);
    expect(await redeemedAt(login)).toBeNull();
  });

  test("creates no user for an address that was removed after the wallet answered", async () => {
    const { userId } = await store().newUser();
    const address = `bc1${randomUUID()}`;
    const login = await answeredBy(address, userId);
    expect(await store().redeem(login, { logins })).toBeNull();
    expect(await holdersOf(address)).toEqual([]);
    await expectNothing(userId, login);
  });

  test("creates only one user for two simultaneous sign-ins with a new address", async () => {
    const address = `bc1${randomUUID()}`;
    const sids = [await answeredBy(address, null), await answeredBy(address, null)];
    const outcomes = await Promise.all(sids.map((login) => store().redeem(login, { logins })));
    const [holder, ...others] = await holdersOf(address);
    expect(others).toEqual([]);
    expect(outcomes).toEqual([{ userId: holder?.user_id }, { userId: holder?.user_id }]);
  });
});
