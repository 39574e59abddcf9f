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
import { createUserWithCodes, openRecovery } from "../../../e2e/support/recovery-store.ts";
import { markSessionUnregistered } from "./accept-response.ts";
import { recordRefusal } from "./check-response.ts";

/** docs/protocol.md#11-challenge */

const store = startLoginStore();
const DEVICE = { platform: "ios", version: "1.2.3", device_id: "device-1" };

const holdersOf = (key: string) =>
  store().query<{ user_id: number; kind: string; created_at: Date }>(
    "SELECT * FROM credential WHERE value = $1",
    [key],
  );

const historyOf = ({ sid }: Issued, kind: string) =>
  store().query("SELECT * FROM login_event WHERE sid = $1 AND kind = $2::login_event_kind", [sid, kind]);

async function expectUnchanged(login: Issued, status = "pending") {
  expect(await store().readLogin(login.sid)).toMatchObject({ status, user_id: null, credential: null });
  expect(await historyOf(login, "delivered")).toEqual([]);
}

describe.each([
  ["a known key", async () => store().newUser(), false],
  ["a known key that registers", async () => store().newUser(), true],
  ["a new key that registers", async () => ({ key: newKey(), userId: null }), true],
] as const)("a response from %s", (_who, signer, registers) => {
  test("spends the challenge, authenticates the session and sends a notification", async () => {
    const { key, userId } = await signer();
    const login = await store().issue();
    const [at, undoHash] = [new Date(), newHash()];
    const notifications = await store().collectNotifications(async () => {
      const answer = await store().answer(login.challenge, key, { registers, at, undoHash });
      expect(answer).toMatchObject({
        sid: login.sid,
        userId,
        used: false,
        keyNotAllowed: false,
        spent: true,
      });
    });
    const [holder] = await holdersOf(key);
    expect(await store().readLogin(login.sid)).toMatchObject({
      ...{ status: "authenticated", authenticated_at: at, credential: key, user_id: holder?.user_id },
      ...{ signed_at: "1700000000", device_info: DEVICE, undo_hash: undoHash, redeemed_at: null },
    });
    expect(await historyOf(login, "delivered")).toMatchObject([
      { at, user_id: holder?.user_id, credential: key },
    ]);
    expect(notifications).toEqual([{ sid: login.sid }]);
  });

  test("is accepted only once", async () => {
    const { key } = await signer();
    const login = await store().issue();
    await store().answer(login.challenge, key, { registers });
    const before = await store().readLogin(login.sid);
    const other = await store().newUser();
    for (const again of [key, other.key]) {
      const answer = await store().answer(login.challenge, again, { registers });
      expect(answer).toMatchObject({ used: true, spent: false });
    }
    expect(await store().readLogin(login.sid)).toEqual(before);
  });

  test("also marks the session's other challenges as used", async () => {
    const { key } = await signer();
    const first = await store().issue();
    const second = await store().issue({ ...first });
    expect(second.sid).toBe(first.sid);
    await store().answer(first.challenge, key, { registers });
    const { key: other } = await store().newUser();
    expect(await store().answer(second.challenge, other, { registers })).toMatchObject({
      used: true,
      spent: false,
    });
    expect((await store().readLogin(first.sid)).credential).toBe(key);
  });

  test("does not change any other session", async () => {
    const other = await store().issue();
    const { key } = await signer();
    await store().answer((await store().issue()).challenge, key, { registers });
    await expectUnchanged(other);
  });

  test("is accepted until the challenge is 30 s old, to the millisecond", async () => {
    const at = new Date();
    const { key } = await signer();
    const oldCode = await store().issue({ at: inSeconds(-30, at) });
    expect(await store().answer(oldCode.challenge, key, { registers, at })).toMatchObject({
      used: false,
      spent: false,
    });
    await expectUnchanged(oldCode);
    const young = await store().issue({ at: inSeconds(-29.999, at) });
    expect(await store().answer(young.challenge, key, { registers, at })).toMatchObject({ spent: true });
  });

  test("is not accepted in a statement that runs ten seconds late", async () => {
    const { key } = await signer();
    const holders = await holdersOf(key);
    const login = await store().issue({ at: inSeconds(-12) });
    const late = { registers, at: inSeconds(-10) };
    expect(await store().answer(login.challenge, key, late)).toMatchObject({ used: false, spent: false });
    await expectUnchanged(login);
    expect(await holdersOf(key)).toEqual(holders);
    expect(await store().answer(login.challenge, key, { registers, at: inSeconds(-5) })).toMatchObject({
      spent: true,
    });
  });

  test("is accepted only once if two simultaneous requests find the challenge unspent", async () => {
    const signers = [await signer(), await signer()];
    const first = await store().issue();
    const second = await store().issue({ ...first });
    for (const challenges of [
      [first.challenge, first.challenge],
      [first.challenge, second.challenge],
    ]) {
      await store().query("UPDATE login_session SET status = 'pending' WHERE sid = $1", [first.sid]);
      const lock = await holdLock(store().url, "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE", [
        first.sid,
      ]);
      const both = signers.map(({ key }, index) =>
        store().answer(challenges[index] ?? "", key, { registers }),
      );
      await lock.waiting(2);
      await lock.release();
      const spentFlags = (await Promise.all(both)).map((answer) => answer?.spent);
      expect(spentFlags.toSorted()).toEqual([false, true]);
      expect((await store().readLogin(first.sid)).credential).toBe(signers[spentFlags.indexOf(true)]?.key);
    }
  });
});

describe("a response without a valid signature", () => {
  test.each([false, true])("leaves all rows unchanged (registering: %s)", async (registers) => {
    const login = await store().issue();
    const notifications = await store().collectNotifications(async () => {
      expect(await store().answer(login.challenge, null, { registers })).toMatchObject({
        ...{ sid: login.sid, userId: null, used: false, spent: false },
      });
    });
    expect(notifications).toEqual([]);
    await expectUnchanged(login);
  });
});

describe("a key without a user", () => {
  test("is not registered by a login", async () => {
    const [key, login] = [newKey(), await store().issue()];
    expect(await store().answer(login.challenge, key)).toMatchObject({ userId: null, spent: false });
    expect(await holdersOf(key)).toEqual([]);
    await expectUnchanged(login);
  });

  test("is registered by a registration, and a second registration finds the same user", async () => {
    const [key, at] = [newKey(), new Date()];
    await store().answer((await store().issue()).challenge, key, { registers: true, at });
    const [holder] = await holdersOf(key);
    expect(holder).toMatchObject({ kind: "public_key", created_at: at });
    expect(
      await store().query("SELECT created_at FROM user_account WHERE id = $1", [holder?.user_id]),
    ).toEqual([{ created_at: at }]);
    const secondAnswer = await store().answer((await store().issue()).challenge, key, { registers: true });
    expect(secondAnswer).toMatchObject({ userId: holder?.user_id, spent: true });
    expect(await holdersOf(key)).toHaveLength(1);
  });

  test("gets only one user if twenty registrations are simultaneous", async () => {
    const count = async () => (await store().query("SELECT 1 FROM user_account")).length;
    const users = await count();
    const key = newKey();
    const logins = await Promise.all(Array.from({ length: 20 }, () => store().issue()));
    const answers = await Promise.all(
      logins.map(({ challenge }) => store().answer(challenge, key, { registers: true })),
    );
    expect(answers.map((answer) => answer?.spent)).toEqual(Array(20).fill(true));
    const holders = await Promise.all(logins.map(async ({ sid }) => (await store().readLogin(sid)).user_id));
    expect(new Set(holders).size).toBe(1);
    expect(await count()).toBe(users + 1);
  });
});

test("creates a user only for the accepted one of two new keys that answer the same code", async () => {
  const [login, keys] = [await store().issue(), [newKey(), newKey()]];
  // Other logins in progress must not affect this one.
  await store().issue();
  const lock = await holdLock(store().url, "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE", [
    login.sid,
  ]);
  const both = keys.map((key) => store().answer(login.challenge, key, { registers: true }));
  await lock.waiting(2);
  await lock.release();
  const spentFlags = (await Promise.all(both)).map((answer) => answer?.spent);
  expect(spentFlags.toSorted()).toEqual([false, true]);
  const holders = await Promise.all(keys.map(holdersOf));
  expect(holders.map(({ length }) => length)).toEqual(spentFlags.map(Number));
});

describe("the intent that the wallet reports", () => {
  test("must match the code's intent", async () => {
    const user = await store().newUser();
    const { sessionId } = await store().openSession(user);
    for (const intent of [null, "add", "approve"] as const) {
      const codeIntent = intent && { intent, askedBy: sessionId };
      const login = await store().issue({ intent: codeIntent });
      for (const otherIntent of [null, "add", "approve", "recover", "other"].filter(
        (other) => other !== intent,
      )) {
        const answer = await store().answer(login.challenge, user.key, { showed: otherIntent });
        expect(answer).toMatchObject({ intent, used: false, spent: false });
      }
      await expectUnchanged(login);
      const answer = await store().answer(login.challenge, user.key, { showed: intent });
      expect(answer).toMatchObject({ intent, spent: true });
    }
  });
});

test("makes a browser a known browser only of the account that it has signed in to", async () => {
  const [user, other, hash] = [await store().newUser(), await store().newUser(), newHash()];
  const answeredIn = async ({ key }: { key: string }, browser: Uint8Array) => {
    const login = await store().issue();
    const set = "UPDATE login_session SET known_browser_hash = $2 WHERE sid = $1";
    await store().query(set, [login.sid, browser]);
    return { login, isKnown: (await store().answer(login.challenge, key))?.isKnownBrowser };
  };
  const first = await answeredIn(user, hash);
  expect(first.isKnown).toBe(false);
  await store().redeem(first.login);
  expect((await answeredIn(user, hash)).isKnown).toBe(true);
  expect((await answeredIn(user, newHash())).isKnown).toBe(false);
  expect((await answeredIn(other, hash)).isKnown).toBe(false);
});

describe("a challenge", () => {
  test.each([false, true])("is found only by its exact text (registering: %s)", async (registers) => {
    const { key } = await store().newUser();
    const login = await store().issue();
    for (const text of [randomUUID(), login.challenge.toUpperCase(), login.challenge.slice(0, -1), ""]) {
      expect(await store().answer(text, key, { registers })).toBeNull();
    }
    await expectUnchanged(login);
  });

  test.each([false, true])(
    "is not found if it belongs to another flow (registering: %s)",
    async (registers) => {
      const { key } = await store().newUser();
      const login = await store().issue();
      for (const flow of ["fast", "hosted"]) {
        await store().query("UPDATE login_session SET flow = $2::flow WHERE sid = $1", [login.sid, flow]);
        expect(await store().answer(login.challenge, key, { registers })).toBeNull();
        await expectUnchanged(login);
      }
    },
  );
});

describe("a code with an intent", () => {
  async function requestedCode(intent: "add" | "approve") {
    const user = await store().newUser();
    const { sessionId } = await store().openSession(user);
    const login = await store().issue({ intent: { intent, askedBy: sessionId } });
    const end = () => store().query("DELETE FROM browser_session WHERE id = $1", [sessionId]);
    const expire = (at: Date) =>
      store().query("UPDATE browser_session SET expires_at = $2 WHERE id = $1", [sessionId, at]);
    return { ...user, login, end, expire };
  }

  test.each(["add", "approve"] as const)(
    "becomes invalid when the browser session that requested it ends (%s)",
    async (intent) => {
      for (const ending of ["expired", "gone"]) {
        const { key, login, end, expire } = await requestedCode(intent);
        const at = new Date();
        await (ending === "gone" ? end() : expire(at));
        for (const registers of [false, true]) {
          expect(await store().answer(login.challenge, key, { registers, at })).toBeNull();
        }
        await expectUnchanged(login);
      }
    },
  );

  test("offers an unused key to the requesting user if its intent is to add a key", async () => {
    const { userId, login } = await requestedCode("add");
    const key = newKey();
    expect(await store().answer(login.challenge, key)).toMatchObject({
      userId,
      keyNotAllowed: false,
      spent: true,
    });
    expect(await store().readLogin(login.sid)).toMatchObject({ user_id: userId, credential: key });
    expect(await holdersOf(key)).toEqual([]);
  });

  test("returns the key's existing user if its intent is to add a key", async () => {
    const { login } = await requestedCode("add");
    const other = await store().newUser();
    expect(await store().answer(login.challenge, other.key)).toMatchObject({
      userId: other.userId,
      spent: true,
    });
  });

  test("can be answered only with one of the user's own keys if the intent is approval", async () => {
    const { key, userId, login } = await requestedCode("approve");
    const other = await store().newUser();
    for (const foreign of [other.key, newKey()]) {
      for (const registers of [false, true]) {
        const answer = await store().answer(login.challenge, foreign, { registers });
        expect(answer).toMatchObject({ keyNotAllowed: true, spent: false });
      }
    }
    await expectUnchanged(login);
    expect(await store().answer(login.challenge, key)).toMatchObject({
      userId,
      keyNotAllowed: false,
      spent: true,
    });
  });

  async function recovering() {
    const { userId, key, macs } = await createUserWithCodes(store());
    const { id } = await openRecovery(store(), macs[0]);
    return { userId, key, id, login: await store().issue({ intent: { intent: "recover", askedBy: id } }) };
  }
  const recover = (login: Issued, key: string, at = new Date()) =>
    store().answer(login.challenge, key, { registers: true, at });

  test("accepts an unused key for the recovering user if its intent is a recovery", async () => {
    const { userId, login } = await recovering();
    const key = newKey();
    expect(await recover(login, key)).toMatchObject({ userId, keyNotAllowed: false, spent: true });
    expect(await store().readLogin(login.sid)).toMatchObject({ user_id: userId, credential: key });
    expect(await holdersOf(key)).toEqual([]);
  });

  test("refuses a key that already has an account if its intent is a recovery", async () => {
    const { login, key: ownKey } = await recovering();
    const other = await store().newUser();
    for (const key of [ownKey, other.key]) {
      expect(await recover(login, key)).toMatchObject({ keyNotAllowed: true, spent: false });
    }
    await expectUnchanged(login);
    expect(await recover(login, newKey())).toMatchObject({ spent: true });
  });

  test("becomes invalid when the recovery that requested it ends", async () => {
    const { id, login } = await recovering();
    const at = new Date();
    await store().query("UPDATE recovery SET expires_at = $2 WHERE id = $1", [id, at]);
    expect(await recover(login, newKey(), at)).toBeNull();
    await store().query("DELETE FROM recovery WHERE id = $1", [id]);
    expect(await recover(login, newKey())).toBeNull();
    await expectUnchanged(login);
  });
});

describe("a response that was not accepted", () => {
  test("marks only the pending login as unregistered, and notifies the browser", async () => {
    const [login, other, key, now] = [await store().issue(), await store().issue(), newKey(), new Date()];
    const mark = () => markSessionUnregistered(store().database, { now, sid: login.sid, credential: key });
    expect(await store().collectNotifications(mark)).toEqual([{ sid: login.sid }]);
    expect(await store().readLogin(login.sid)).toMatchObject({ status: "unregistered" });
    expect(await historyOf(login, "unregistered")).toMatchObject([{ at: now, credential: key }]);
    await expectUnchanged(other);
  });

  test("leaves an authenticated login unchanged", async () => {
    const user = await store().newUser();
    const login = await store().answerLogin(user);
    const mark = () =>
      markSessionUnregistered(store().database, { now: new Date(), sid: login.sid, credential: newKey() });
    expect(await store().collectNotifications(mark)).toEqual([]);
    expect(await store().readLogin(login.sid)).toMatchObject({
      status: "authenticated",
      credential: user.key,
    });
    expect(await historyOf(login, "unregistered")).toEqual([]);
  });

  test("notifies the browser of a refusal without changing the login", async () => {
    const [login, now] = [await store().issue(), new Date()];
    const record = () =>
      recordRefusal(store().database, { now, sid: login.sid, reason: "invalid_signature" });
    expect(await store().collectNotifications(record)).toEqual([
      { sid: login.sid, refused: "invalid_signature" },
    ]);
    expect(await historyOf(login, "refused")).toMatchObject([{ at: now, reason: "invalid_signature" }]);
    await expectUnchanged(login);
  });
});
