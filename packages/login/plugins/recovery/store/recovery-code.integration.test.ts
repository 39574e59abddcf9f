import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { holdLock } from "../../../../../e2e/support/held-lock.ts";
import { inSeconds, startLoginStore } from "../../../../../e2e/support/login-store.ts";
import {
  confirmStoredCodes,
  createRecoveryCodes,
  createUserWithCodes,
  KEY_ID,
  newMacs,
  openRecovery,
  readRecoveryHistory,
  readRecoveryRow,
} from "../../../../../e2e/support/recovery-store.ts";
import { hasActiveRecoveryCode, readRecoveryCodesState } from "./recovery-code.ts";

/** docs/protocol.md#101-recovery-codes */

const store = startLoginStore();

type CodeRow = { id: string; mac: Buffer; key_id: Buffer; created_at: Date; confirmed_at: Date | null };
const codesOf = (userId: number) =>
  store().query<CodeRow>("SELECT * FROM recovery_code WHERE user_id = $1 ORDER BY slot", [userId]);
const isActive = (userId: number, ...macs: Uint8Array[]) =>
  hasActiveRecoveryCode(store().database, { userId, macs });

async function signedInUser() {
  const user = await store().newUser();
  return { ...user, ...(await store().openSession(user)) };
}

describe("new codes", () => {
  test("come as a pair, and do not work until they are confirmed", async () => {
    const user = await signedInUser();
    const [macs, now] = [newMacs(), new Date()];
    expect(await createRecoveryCodes(store().database, user, { macs, now })).toEqual({ cancelled: false });
    const newRow = { key_id: KEY_ID, created_at: now, confirmed_at: null };
    expect(await codesOf(user.userId)).toMatchObject(macs.map((mac) => ({ ...newRow, mac })));
    expect(await isActive(user.userId, ...macs)).toBe(false);
    expect(await readRecoveryHistory(store(), user.userId)).toMatchObject([
      { at: now, kind: "recovery_codes_made", user_agent: "Firefox" },
    ]);
  });

  test("completely replace the confirmed codes", async () => {
    const user = await createUserWithCodes(store());
    const other = await createUserWithCodes(store());
    const before = await codesOf(other.userId);
    const ids = (await codesOf(user.userId)).map(({ id }) => id);
    const [macs, now, keyId] = [newMacs(), new Date(), Buffer.from("that key")];
    await createRecoveryCodes(store().database, user, { macs, now, keyId });
    const newRow = { key_id: keyId, created_at: now, confirmed_at: null };
    expect(await codesOf(user.userId)).toMatchObject(macs.map((mac) => ({ ...newRow, mac })));
    // The new codes do not reuse the previous codes' ids.
    for (const { id } of await codesOf(user.userId)) expect(ids).not.toContain(id);
    for (const mac of user.macs) expect(await isActive(user.userId, mac)).toBe(false);
    expect(await codesOf(other.userId)).toEqual(before);
  });

  test("cancel the open recoveries of the old codes", async () => {
    const user = await createUserWithCodes(store());
    const other = await createUserWithCodes(store());
    const now = new Date();
    const set = async (what: string, { macs: [mac] } = user) => {
      const { id } = await openRecovery(store(), mac);
      await store().query(`UPDATE recovery SET ${what} WHERE id = $1`, [id]);
      return id;
    };
    const past = "timestamptz '2020-01-01Z'";
    const [begun, waits] = [await set("id = id"), await set(`expires_at = ${past}, takes_effect_at = now()`)];
    const stay = [
      await set("id = id", other),
      await set(`expires_at = ${past}`),
      await set(`takes_effect_at = ${past}, finished_at = ${past}`),
      await set(`cancelled_at = ${past}`),
    ];
    const before = await Promise.all(stay.map((id) => readRecoveryRow(store(), id)));
    expect(await createRecoveryCodes(store().database, user, { now })).toEqual({ cancelled: true });
    for (const id of [begun, waits])
      expect(await readRecoveryRow(store(), id)).toMatchObject({ cancelled_at: now });
    expect(await Promise.all(stay.map((id) => readRecoveryRow(store(), id)))).toEqual(before);
    const cancellations = (await readRecoveryHistory(store(), user.userId)).filter(
      ({ kind }) => kind === "recovery_cancelled",
    );
    expect(cancellations).toMatchObject([{ at: now, user_agent: "Firefox" }]);
  });

  test("are refused without a session, without an approval, or in a statement that runs ten seconds late", async () => {
    const user = await createUserWithCodes(store());
    const { id } = await openRecovery(store(), user.macs[0]);
    const before = [await codesOf(user.userId), await readRecoveryHistory(store(), user.userId)];
    const other = await store().openSession(await store().newUser());
    const age = (by: string) =>
      store().query("UPDATE browser_session SET created_at = created_at + $2::interval WHERE id = $1", [
        user.sessionId,
        by,
      ]);
    expect(await createRecoveryCodes(store().database, user, { now: inSeconds(-10) })).toBeNull();
    expect(await createRecoveryCodes(store().database, { ...user, sessionId: randomUUID() })).toBeNull();
    await age("-601 s");
    expect(await createRecoveryCodes(store().database, user)).toBeNull();
    await age("601 s");
    // The session determines whose codes are created.
    await createRecoveryCodes(store().database, { ...user, ...other });
    expect([await codesOf(user.userId), await readRecoveryHistory(store(), user.userId)]).toEqual(before);
    expect(await readRecoveryRow(store(), id)).toMatchObject({ cancelled_at: null });
    await createRecoveryCodes(store().database, user, { now: inSeconds(-5) });
  });
});

describe("confirming codes", () => {
  const confirm = (user: { userId: number; sessionId: string }, macs: Uint8Array[], now = new Date()) =>
    confirmStoredCodes(store().database, user, macs, now);

  test("requires both codes, in any order", async () => {
    const user = await signedInUser();
    const [[one, two], now] = [newMacs(), new Date()];
    await createRecoveryCodes(store().database, user, { macs: [one, two] });
    expect(await confirm(user, [two, ...newMacs(), one], now)).toBe(true);
    expect(await confirm(user, [one, two], inSeconds(60, now))).toBe(true);
    expect((await codesOf(user.userId)).map(({ confirmed_at }) => confirmed_at)).toEqual([now, now]);
    for (const mac of [one, two]) expect(await isActive(user.userId, mac)).toBe(true);
  });

  test("fails without both codes", async () => {
    const [user, other] = [await signedInUser(), await signedInUser()];
    const [[one, two], others] = [newMacs(), newMacs()];
    await createRecoveryCodes(store().database, user, { macs: [one, two] });
    await createRecoveryCodes(store().database, other, { macs: others });
    for (const macs of [[one], [one, one], [one, others[0]], others, [], newMacs()]) {
      expect(await confirm(user, macs)).toBe(false);
    }
    for (const { userId } of [user, other]) {
      expect((await codesOf(userId)).map(({ confirmed_at }) => confirmed_at)).toEqual([null, null]);
    }
    await confirm(user, [one, two]);
    expect((await codesOf(other.userId)).map(({ confirmed_at }) => confirmed_at)).toEqual([null, null]);
  });

  test("fails while new codes are replacing them", async () => {
    const user = await signedInUser();
    const macs = newMacs();
    await createRecoveryCodes(store().database, user, { macs });
    const replacement = await holdLock(
      store().url,
      "UPDATE recovery_code SET id = gen_random_uuid(), mac = sha256(mac) WHERE user_id = $1",
      [user.userId],
    );
    const confirmed = confirm(user, macs);
    await replacement.waiting(1);
    await replacement.release();
    expect(await confirmed).toBe(false);
    expect((await codesOf(user.userId)).map(({ confirmed_at }) => confirmed_at)).toEqual([null, null]);
  });

  test("works only for the user who created them", async () => {
    const [user, other] = [await createUserWithCodes(store()), await createUserWithCodes(store())];
    expect(await isActive(user.userId, user.macs[0])).toBe(true);
    expect(await isActive(user.userId, other.macs[0])).toBe(false);
    expect(await isActive(user.userId, ...newMacs())).toBe(false);
  });
});

describe("the state of a user's codes", () => {
  const [current, previous, gone] = [Buffer.from("current"), Buffer.from("previous"), Buffer.from("gone")];
  const stateOf = (userId: number) =>
    readRecoveryCodesState(store().database, { userId, keyIds: [current, previous] });

  test("is empty if the user has no codes", async () => {
    const { userId } = await signedInUser();
    expect(await stateOf(userId)).toEqual({
      ...{ active: 0, ageing: 0, unconfirmed: 0, madeAt: null, recoveredAt: null },
    });
  });

  test.each([
    ["the current key", current, { active: 2, ageing: 0 }],
    ["the previous key", previous, { active: 2, ageing: 2 }],
    ["a removed key", gone, { active: 0, ageing: 0 }],
  ])(
    "is reported for codes under %s, before and after they are confirmed",
    async (_which, keyId, confirmed) => {
      const [user, macs, now] = [await signedInUser(), newMacs(), new Date()];
      await createUserWithCodes(store());
      await createRecoveryCodes(store().database, user, { macs, keyId, now });
      const state = { madeAt: now, recoveredAt: null };
      expect(await stateOf(user.userId)).toEqual({ ...state, active: 0, ageing: 0, unconfirmed: 2 });
      await confirmStoredCodes(store().database, user, macs, now);
      expect(await stateOf(user.userId)).toEqual({ ...state, ...confirmed, unconfirmed: 0 });
    },
  );

  test("contains the time of the user's last recovery", async () => {
    const [user, other] = [await createUserWithCodes(store()), await createUserWithCodes(store())];
    const { id } = await openRecovery(store(), user.macs[0]);
    const at = inSeconds(-60);
    await store().query("UPDATE recovery SET takes_effect_at = $2, finished_at = $2 WHERE id = $1", [id, at]);
    expect((await stateOf(user.userId)).recoveredAt).toEqual(at);
    expect((await stateOf(other.userId)).recoveredAt).toBeNull();
  });
});
