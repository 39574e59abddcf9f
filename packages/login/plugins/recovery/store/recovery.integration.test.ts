import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { holdLock } from "../../../../../e2e/support/held-lock.ts";
import { inSeconds, newHash, newKey, startLoginStore } from "../../../../../e2e/support/login-store.ts";
import {
  createRecoveryCodes,
  createUserWithCodes,
  newMacs,
  openRecovery,
  readRecoveryHistory,
  readRecoveryRow,
} from "../../../../../e2e/support/recovery-store.ts";
import {
  cancelRecoveries,
  findNewRecoveryKey,
  findPendingRecovery,
  findRecovery,
  insertRecovery,
  pruneRecoveries,
} from "./recovery.ts";

/** docs/protocol.md#102-post-apirecovery */

const store = startLoginStore();
const PAST = new Date("2020-01-01T00:00:00Z");
const set = (id: string, what: string, values: unknown[] = []) =>
  store().query(`UPDATE recovery SET ${what} WHERE id = $1`, [id, ...values]);

describe("a recovery code", () => {
  test("opens a recovery for its user if it is valid", async () => {
    await store().newUser();
    const { userId, macs } = await createUserWithCodes(store());
    const [now, id, secretHash] = [new Date(), randomUUID(), randomBytes(32)];
    const expiresAt = inSeconds(900, now);
    const input = { now, macs: [...newMacs(), macs[1]], id, secretHash, expiresAt, userAgent: "Chrome" };
    expect(await insertRecovery(store().database, input)).toEqual({ userId });
    const since = "SELECT created_at FROM user_account WHERE id = $1";
    const [account] = await store().query<{ created_at: Date }>(since, [userId]);
    expect(await findRecovery(store().database, secretHash)).toMatchObject({
      accountSince: account?.created_at,
      ...{
        id,
        userId,
        expiresAt,
        credential: null,
        takesEffectAt: null,
        finishedAt: null,
        cancelledAt: null,
      },
    });
    expect((await readRecoveryHistory(store(), userId)).at(-1)).toMatchObject({
      ...{ at: now, kind: "recovery_opened", user_agent: "Chrome" },
    });
    expect(await store().query("SELECT 1 FROM recovery_code WHERE user_id = $1", [userId])).toHaveLength(2);
  });

  test("does not open a recovery if it is unconfirmed or unknown", async () => {
    const user = await createUserWithCodes(store());
    const macs = newMacs();
    await createRecoveryCodes(store().database, user, { macs });
    const before = await readRecoveryHistory(store(), user.userId);
    for (const typed of [macs, user.macs, newMacs(), []]) {
      const input = { now: new Date(), macs: typed, id: randomUUID(), secretHash: randomBytes(32) };
      const recovery = await insertRecovery(store().database, {
        ...{ ...input, expiresAt: inSeconds(900), userAgent: null },
      });
      expect(recovery).toBeNull();
    }
    expect(await readRecoveryHistory(store(), user.userId)).toEqual(before);
  });
});

test("waits while a recovery code is being replaced, and then refuses it", async () => {
  const { userId, macs } = await createUserWithCodes(store());
  const replacing = await holdLock(store().url, "UPDATE recovery_code SET mac = $2 WHERE mac = $1", [
    macs[0],
    randomBytes(32),
  ]);
  const opening = expect(openRecovery(store(), macs[0])).rejects.toThrow("the code opened nothing");
  await replacing.waiting(1);
  await replacing.release();
  await opening;
  expect(await store().query("SELECT 1 FROM recovery WHERE user_id = $1", [userId])).toEqual([]);
});

describe("a recovery", () => {
  test("is found with its browser's secret as long as its recovery code exists", async () => {
    const [user, other] = [await createUserWithCodes(store()), await createUserWithCodes(store())];
    const [ownRecovery, others] = [
      await openRecovery(store(), user.macs[0]),
      await openRecovery(store(), other.macs[0]),
    ];
    expect((await findRecovery(store().database, ownRecovery.secretHash))?.id).toBe(ownRecovery.id);
    expect(await findRecovery(store().database, randomBytes(32))).toBeNull();
    await store().query("DELETE FROM recovery_code WHERE user_id = $1", [user.userId]);
    expect(await findRecovery(store().database, ownRecovery.secretHash)).toBeNull();
    expect((await findRecovery(store().database, others.secretHash))?.id).toBe(others.id);
  });

  test.each(["finished_at", "cancelled_at"])(
    "is still found after its recovery code was deleted if it has ended (%s)",
    async (endColumn) => {
      const user = await createUserWithCodes(store());
      const { id, secretHash } = await openRecovery(store(), user.macs[0]);
      await store().query("DELETE FROM recovery_code WHERE user_id = $1", [user.userId]);
      await set(id, `${endColumn} = $2`, [PAST]);
      expect((await findRecovery(store().database, secretHash))?.id).toBe(id);
    },
  );

  test("is shown only to its user, and only while it is pending", async () => {
    const [user, other] = [await createUserWithCodes(store()), await createUserWithCodes(store())];
    const now = new Date();
    const pending = ({ userId }: { userId: number }) => findPendingRecovery(store().database, userId);
    const { id } = await openRecovery(store(), user.macs[0], { now });
    await openRecovery(store(), other.macs[0]);
    expect(await pending(user)).toBeNull();
    const [key, takesEffectAt] = [newKey(), inSeconds(3600, now)];
    await set(id, "takes_effect_at = $2, credential = $3", [takesEffectAt, key]);
    expect(await pending(user)).toEqual({
      takesEffectAt,
      openedAt: now,
      userAgent: "Chrome",
      credential: key,
    });
    expect(await pending(other)).toBeNull();
    for (const endColumn of ["finished_at", "cancelled_at"]) {
      await set(id, `${endColumn} = $2`, [PAST]);
      expect(await pending(user)).toBeNull();
      await set(id, `${endColumn} = NULL`);
    }
    expect(await pending(user)).not.toBeNull();
  });
});

describe("the key that answered a recovery's code", () => {
  async function answeredRecovery(now = new Date()) {
    const user = await createUserWithCodes(store());
    const { id: recoveryId } = await openRecovery(store(), user.macs[0], { now });
    const login = await store().issue({ at: now, intent: { intent: "recover", askedBy: recoveryId } });
    const key = newKey();
    await store().answer(login.challenge, key, { registers: true, at: now });
    const find = (changes: Partial<Parameters<typeof findNewRecoveryKey>[1]> = {}) =>
      findNewRecoveryKey(store().database, {
        ...{ now, sid: login.sid, browserHash: login.browserHash, recoveryId, ...changes },
      });
    return { key, login, find, now };
  }

  test("is shown only to the browser that requested the recovery, and only for that recovery and its login", async () => {
    const { key, find } = await answeredRecovery();
    expect(await find()).toEqual({ flow: "login", value: key });
    for (const other of [{ browserHash: newHash() }, { recoveryId: randomUUID() }, { sid: randomUUID() }]) {
      expect(await find(other)).toBeNull();
    }
  });

  test("is shown for ten minutes or until it is redeemed", async () => {
    const { login, find, now } = await answeredRecovery();
    expect(await find({ now: inSeconds(599.999, now) })).not.toBeNull();
    expect(await find({ now: inSeconds(600, now) })).toBeNull();
    await store().query("UPDATE login_session SET redeemed_at = now() WHERE sid = $1", [login.sid]);
    expect(await find()).toBeNull();
  });
});

describe("cancelling recoveries", () => {
  test("ends the user's own pending and open recoveries", async () => {
    const [user, other] = [await createUserWithCodes(store()), await createUserWithCodes(store())];
    const [waits, begun] = [
      await openRecovery(store(), user.macs[0]),
      await openRecovery(store(), user.macs[1]),
    ];
    const others = await openRecovery(store(), other.macs[0]);
    await set(waits.id, "takes_effect_at = now(), expires_at = $2", [PAST]);
    const now = new Date();
    const cancel = () => cancelRecoveries(store().database, { now, ...user, userAgent: "Firefox" });
    expect(await cancel()).toBe(true);
    for (const { id } of [waits, begun])
      expect(await readRecoveryRow(store(), id)).toMatchObject({ cancelled_at: now });
    expect(await readRecoveryRow(store(), others.id)).toMatchObject({ cancelled_at: null });
    expect((await readRecoveryHistory(store(), user.userId)).at(-1)).toMatchObject({
      ...{ at: now, kind: "recovery_cancelled", user_agent: "Firefox" },
    });
    const history = await readRecoveryHistory(store(), user.userId);
    expect(await cancel()).toBe(false);
    expect(await readRecoveryHistory(store(), user.userId)).toEqual(history);
  });

  test("is refused for a session that has ended, or in a statement that runs ten seconds late", async () => {
    const user = await createUserWithCodes(store());
    const { id } = await openRecovery(store(), user.macs[0]);
    const cancel = (changes: { now?: Date; sessionId?: string }) =>
      cancelRecoveries(store().database, { now: new Date(), ...user, userAgent: null, ...changes });
    expect(await cancel({ sessionId: randomUUID() })).toBe(false);
    expect(await cancel({ now: inSeconds(-10) })).toBe(false);
    expect(await readRecoveryRow(store(), id)).toMatchObject({ cancelled_at: null });
    // Needs no approval, because users who have lost their keys cannot give one.
    const age = "UPDATE browser_session SET created_at = now() - interval '2 h' WHERE id = $1";
    await store().query(age, [user.sessionId]);
    expect(await cancel({})).toBe(true);
  });

  test("does not change expired and finished recoveries", async () => {
    const user = await createUserWithCodes(store());
    const [expired, finished] = [
      await openRecovery(store(), user.macs[0]),
      await openRecovery(store(), user.macs[1]),
    ];
    const now = new Date();
    await set(expired.id, "expires_at = $2", [now]);
    await set(finished.id, "takes_effect_at = $2, finished_at = $2", [PAST]);
    expect(await cancelRecoveries(store().database, { now, ...user, userAgent: null })).toBe(false);
    for (const { id } of [expired, finished]) {
      expect(await readRecoveryRow(store(), id)).toMatchObject({ cancelled_at: null });
    }
  });
});

test("deletes unused recoveries once they have expired, and other recoveries thirty days after they ended", async () => {
  const user = await createUserWithCodes(store());
  const now = new Date();
  const monthAgo = inSeconds(-30 * 24 * 3600, now);
  const make = async (what: string, at: Date) => {
    const { id } = await openRecovery(store(), user.macs[0]);
    await set(id, `expires_at = $2, ${what}`, [at]);
    return id;
  };
  const before = (time: Date) => inSeconds(-0.001, time);
  const keptIds = [
    await make("credential = NULL", now),
    await make("takes_effect_at = $2, finished_at = $2", monthAgo),
    await make("cancelled_at = $2", monthAgo),
    await make("takes_effect_at = $2", PAST),
  ];
  const deletedIds = [
    await make("credential = NULL", before(now)),
    await make("takes_effect_at = $2, finished_at = $2", before(monthAgo)),
    await make("cancelled_at = $2", before(monthAgo)),
  ];
  expect(await pruneRecoveries(store().database, now)).toBeGreaterThanOrEqual(deletedIds.length);
  for (const id of keptIds) expect(await readRecoveryRow(store(), id)).toBeDefined();
  for (const id of deletedIds) expect(await readRecoveryRow(store(), id)).toBeUndefined();
  expect(await pruneRecoveries(store().database, now)).toBe(0);
});
