import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { holdLock } from "../../../../../e2e/support/held-lock.ts";
import {
  type Issued,
  inSeconds,
  newHash,
  newKey,
  startLoginStore,
} from "../../../../../e2e/support/login-store.ts";
import {
  createUserWithCodes,
  openRecovery,
  readRecoveryHistory,
  readRecoveryRow,
} from "../../../../../e2e/support/recovery-store.ts";
import { markLoginUndone } from "../../../server/undo-login.ts";
import { cancelRecoveries } from "./recovery.ts";
import {
  applyRecovery,
  cancelConflictingRecovery,
  chooseRecoveryKey,
  findDueRecoveries,
} from "./take-effect.ts";

/** docs/protocol.md#104-taking-effect */

const store = startLoginStore();

async function answeredRecovery() {
  const user = await createUserWithCodes(store());
  const now = new Date();
  const recovery = await openRecovery(store(), user.macs[0], { now });
  const login = await store().issue({ at: now, intent: { intent: "recover", askedBy: recovery.id } });
  const newOwn = newKey();
  const answer = await store().answer(login.challenge, newOwn, { registers: true, at: now });
  if (!answer?.spent) throw new Error("the recovery's code was not answered");
  return { ...user, ...recovery, login, newOwn, now };
}
type AnsweredRecovery = Awaited<ReturnType<typeof answeredRecovery>>;

function choose(
  { now, secretHash, login }: Pick<AnsweredRecovery, "now" | "secretHash" | "login">,
  changes: Partial<Parameters<typeof chooseRecoveryKey>[1]> = {},
) {
  const { sid, browserHash } = login;
  return chooseRecoveryKey(store().database, {
    now,
    secretHash,
    sid,
    browserHash,
    takesEffectAt: now,
    userAgent: "Safari",
    ...changes,
  });
}

const finish = (
  { id, now, login }: Pick<AnsweredRecovery, "id" | "now" | "login">,
  changes: Partial<Parameters<typeof applyRecovery>[1]> = {},
) =>
  applyRecovery(store().database, {
    now,
    id,
    browserHash: login.browserHash,
    sessionId: randomUUID(),
    ...changes,
  });

async function chosenRecovery() {
  const recovery = await answeredRecovery();
  expect(await choose(recovery)).toEqual({ id: recovery.id, userId: recovery.userId });
  return recovery;
}

const loginRow = ({ sid }: Issued) =>
  store().query<{ recovers: string | null; redeemed_at: Date | null }>(
    "SELECT recovers, redeemed_at FROM login_session WHERE sid = $1",
    [sid],
  );
const keysOf = (userId: number) =>
  store().query<{ value: string; before_recovery_at: Date | null }>(
    "SELECT value, kind, before_recovery_at FROM credential WHERE user_id = $1 ORDER BY created_at",
    [userId],
  );
const codesOf = (userId: number) =>
  store().query("SELECT mac FROM recovery_code WHERE user_id = $1", [userId]);
const NOT_CHOSEN = { credential: null, kind: null, takes_effect_at: null };

describe("choosing a recovery's new key", () => {
  test("stores the key that answered the code", async () => {
    const recovery = await chosenRecovery();
    const { id, newOwn, now, userId, login } = recovery;
    expect(await readRecoveryRow(store(), id)).toMatchObject({
      ...{ credential: newOwn, kind: "public_key", takes_effect_at: now, finished_at: null },
    });
    expect(await loginRow(login)).toEqual([{ recovers: id, redeemed_at: null }]);
    expect((await readRecoveryHistory(store(), userId)).map(({ kind }) => kind)).not.toContain(
      "recovery_pending",
    );
  });

  test("prevents the answer from being redeemed if there is a delay", async () => {
    const recovery = await answeredRecovery();
    const other = await store().answerLogin(recovery);
    const { id, login, newOwn, now, userId } = recovery;
    await choose(recovery, { takesEffectAt: inSeconds(3600, now) });
    expect(await loginRow(login)).toEqual([{ recovers: id, redeemed_at: now }]);
    expect(await loginRow(other)).toEqual([{ recovers: null, redeemed_at: null }]);
    expect((await readRecoveryHistory(store(), userId)).at(-1)).toMatchObject({
      ...{ at: now, kind: "recovery_pending", credential: newOwn, user_agent: "Safari" },
    });
  });

  test("stores a Bitcoin address as an address", async () => {
    const recovery = await answeredRecovery();
    await store().query("UPDATE login_session SET flow = 'fast' WHERE sid = $1", [recovery.login.sid]);
    await choose(recovery);
    expect(await readRecoveryRow(store(), recovery.id)).toMatchObject({ kind: "address" });
  });

  test("requires both of the browser's secrets and the login that answered the recovery's code", async () => {
    const [recovery, other] = [await answeredRecovery(), await answeredRecovery()];
    for (const changes of [
      { secretHash: newHash() },
      { browserHash: newHash() },
      { sid: randomUUID() },
      { secretHash: other.secretHash },
      { sid: other.login.sid },
      { sid: other.login.sid, browserHash: other.login.browserHash },
    ]) {
      expect(await choose(recovery, changes)).toBeNull();
    }
    for (const { id } of [recovery, other])
      expect(await readRecoveryRow(store(), id)).toMatchObject(NOT_CHOSEN);
    expect(await choose(recovery)).not.toBeNull();
    expect(await readRecoveryRow(store(), other.id)).toMatchObject(NOT_CHOSEN);
  });

  test("is possible for fifteen minutes after the code is entered and ten minutes after the answer", async () => {
    const recovery = await answeredRecovery();
    const { id, now } = recovery;
    const expires = (seconds: number) =>
      store().query("UPDATE recovery SET expires_at = $2 WHERE id = $1", [id, inSeconds(seconds, now)]);
    await expires(0);
    expect(await choose(recovery)).toBeNull();
    await expires(900);
    expect(await choose(recovery, { now: inSeconds(600, now) })).toBeNull();
    expect(await readRecoveryRow(store(), id)).toMatchObject(NOT_CHOSEN);
    expect(await choose(recovery, { now: inSeconds(599.999, now) })).not.toBeNull();
  });

  test.each<[string, (recovery: AnsweredRecovery) => Promise<unknown>]>([
    [
      "the recovery is cancelled",
      ({ id }) => store().query("UPDATE recovery SET cancelled_at = now() WHERE id = $1", [id]),
    ],
    [
      "its code is deleted",
      ({ userId }) => store().query("DELETE FROM recovery_code WHERE user_id = $1", [userId]),
    ],
    [
      "the answer is redeemed",
      ({ login }) =>
        store().query("UPDATE login_session SET redeemed_at = now() WHERE sid = $1", [login.sid]),
    ],
    ["the key has an account", ({ newOwn }) => store().newUser(newOwn)],
  ])("is refused once %s", async (_what, happens) => {
    const recovery = await answeredRecovery();
    await happens(recovery);
    // Another user's recovery code must not be used instead.
    await createUserWithCodes(store());
    expect(await choose(recovery)).toBeNull();
    expect(await readRecoveryRow(store(), recovery.id)).toMatchObject(NOT_CHOSEN);
  });

  test("is possible only once", async () => {
    const recovery = await chosenRecovery();
    expect(await choose(recovery, { takesEffectAt: inSeconds(3600, recovery.now) })).toBeNull();
    expect(await readRecoveryRow(store(), recovery.id)).toMatchObject({ takes_effect_at: recovery.now });
  });

  test("is refused in a statement that runs ten seconds late", async () => {
    const recovery = await answeredRecovery();
    expect(await choose(recovery, { now: inSeconds(-10) })).toBeNull();
    expect(await readRecoveryRow(store(), recovery.id)).toMatchObject(NOT_CHOSEN);
    expect(await choose(recovery, { now: inSeconds(-5) })).not.toBeNull();
  });
});

describe("applying a recovery", () => {
  test("adds the key, spends the code and ends all sessions", async () => {
    const recovery = await chosenRecovery();
    const { id, userId, key, newOwn, now, login, macs, sessionId } = recovery;
    const [elsewhere, ownSession] = [await store().answerLogin(recovery), randomUUID()];
    const stranger = await createUserWithCodes(store());
    expect(await finish(recovery, { sessionId: ownSession })).toEqual({ userId });
    expect(await keysOf(userId)).toEqual([
      { value: key, kind: "public_key", before_recovery_at: now },
      { value: newOwn, kind: "public_key", before_recovery_at: null },
    ]);
    expect(await codesOf(userId)).toEqual([{ mac: Buffer.from(macs[1]) }]);
    expect(await readRecoveryRow(store(), id)).toMatchObject({ finished_at: now, cancelled_at: null });
    expect(await store().listSessions(userId)).toEqual([]);
    expect(await loginRow(elsewhere)).toEqual([]);
    expect((await readRecoveryHistory(store(), userId)).at(-1)).toMatchObject({
      ...{ at: now, kind: "recovered", credential: newOwn, user_agent: "Safari" },
    });
    const findReasons = "SELECT reason FROM login_event WHERE user_id = $1 AND kind = 'session_ended'";
    expect(await store().query(findReasons, [userId])).toEqual([{ reason: "revoked" }]);
    expect(sessionId).toBeDefined();
    // The recovering browser can now redeem the answered login like any other login.
    expect(await loginRow(login)).toEqual([{ recovers: null, redeemed_at: null }]);
    expect(await store().redeem(login)).toBe("unconfirmed");
    expect(await store().redeem(login, { browserSessionId: ownSession })).toEqual({ userId });
    // The recovery does not affect anyone else's account.
    expect(await keysOf(stranger.userId)).toMatchObject([{ before_recovery_at: null }]);
    expect(await codesOf(stranger.userId)).toHaveLength(2);
    expect(await store().listSessions(stranger.userId)).toHaveLength(1);
  });

  test("does not open a session if the job applies it", async () => {
    const recovery = await chosenRecovery();
    const { userId, login } = recovery;
    expect(await finish(recovery, { browserHash: null, sessionId: null })).toEqual({ userId });
    expect(await store().redeem(login)).toBeNull();
    expect((await readRecoveryHistory(store(), userId)).slice(-2)).toMatchObject([
      { kind: "recovery_opened" },
      { kind: "recovered" },
    ]);
  });

  test("does not change answers for other browsers, keys and recoveries", async () => {
    const recovery = await answeredRecovery();
    const { id, login, newOwn } = recovery;
    const other = await answeredRecovery();
    const sameRecovery = await store().issue({ intent: { intent: "recover", askedBy: id } });
    await store().answer(sameRecovery.challenge, newKey(), { registers: true });
    await store().query("UPDATE login_session SET browser_hash = $2 WHERE sid = $1", [
      sameRecovery.sid,
      login.browserHash,
    ]);
    const sameKey = await store().issue({ intent: { intent: "recover", askedBy: id } });
    await store().answer(sameKey.challenge, newOwn, { registers: true });
    await store().query("UPDATE login_session SET user_id = NULL WHERE sid = ANY($1)", [
      [sameRecovery.sid, sameKey.sid],
    ]);
    // The same key answers in the same browser, but for another account.
    const otherCode = await store().issue({
      ...login,
      sid: null,
      intent: { intent: "recover", askedBy: other.id },
    });
    await store().answer(otherCode.challenge, newOwn, { registers: true });
    await choose(recovery);
    await finish(recovery);
    for (const { sid } of [sameRecovery, sameKey])
      expect(await loginRow({ ...login, sid })).toMatchObject([{ recovers: id }]);
    for (const otherLogin of [other.login, otherCode]) {
      expect(await loginRow(otherLogin)).toMatchObject([{ recovers: other.id }]);
    }
    expect(await readRecoveryRow(store(), other.id)).toMatchObject({ finished_at: null, cancelled_at: null });
  });

  test("succeeds only once, and only when the recovery is due", async () => {
    const [recovery, other] = [await chosenRecovery(), await chosenRecovery()];
    const { userId, now } = recovery;
    expect(await finish(recovery, { id: randomUUID() })).toBeNull();
    expect(await finish(recovery, { now: inSeconds(-0.001, now) })).toBeNull();
    expect(await keysOf(userId)).toHaveLength(1);
    expect(await finish(recovery)).toEqual({ userId });
    expect(await finish(recovery)).toBeNull();
    expect(await keysOf(userId)).toHaveLength(2);
    expect(await readRecoveryRow(store(), recovery.id)).toMatchObject({
      finished_at: now,
      cancelled_at: null,
    });
    expect(await readRecoveryRow(store(), other.id)).toMatchObject({ finished_at: null });
  });

  test("is refused if the recovery has been cancelled or is being cancelled", async () => {
    const earlyRecovery = await chosenRecovery();
    await cancelRecoveries(store().database, { ...earlyRecovery, userAgent: null });
    expect(await finish(earlyRecovery)).toBeNull();
    expect(await keysOf(earlyRecovery.userId)).toHaveLength(1);
    const lateRecovery = await chosenRecovery();
    const cancelling = await holdLock(store().url, "UPDATE recovery SET cancelled_at = now() WHERE id = $1", [
      lateRecovery.id,
    ]);
    const finishing = finish(lateRecovery);
    await cancelling.waiting(1);
    await cancelling.release();
    expect(await finishing).toBeNull();
    expect(await keysOf(lateRecovery.userId)).toHaveLength(1);
    expect(await codesOf(lateRecovery.userId)).toHaveLength(2);
  });

  test("cancels the recovery instead if its recovery code was deleted", async () => {
    const [recovery, other] = [await chosenRecovery(), await chosenRecovery()];
    const { id, userId, now } = recovery;
    await store().query("DELETE FROM recovery_code WHERE user_id = $1", [userId]);
    expect(await finish(recovery)).toBeNull();
    expect(await readRecoveryRow(store(), id)).toMatchObject({ finished_at: null, cancelled_at: now });
    expect(await readRecoveryRow(store(), other.id)).toMatchObject({ cancelled_at: null });
    expect(await keysOf(userId)).toHaveLength(1);
    expect(await store().listSessions(userId)).toHaveLength(1);
  });

  test("is refused in a statement that runs ten seconds late", async () => {
    const recovery = await answeredRecovery();
    await choose(recovery, { takesEffectAt: inSeconds(-20) });
    expect(await finish(recovery, { now: inSeconds(-10) })).toBeNull();
    expect(await keysOf(recovery.userId)).toHaveLength(1);
    expect(await finish(recovery, { now: inSeconds(-5) })).not.toBeNull();
  });

  test("fails without changes if the new key has registered an account in the meantime", async () => {
    const recovery = await chosenRecovery();
    const { id, userId, newOwn } = recovery;
    await store().newUser(newOwn);
    await expect(finish(recovery)).rejects.toMatchObject({ code: "23505" });
    expect(await codesOf(userId)).toHaveLength(2);
    expect(await readRecoveryRow(store(), id)).toMatchObject({ finished_at: null, cancelled_at: null });
    expect(await store().listSessions(userId)).toHaveLength(1);
  });

  test("marks the new key, so other browsers ask its holder for confirmation at the first sign-in", async () => {
    const [here, job] = [await chosenRecovery(), await chosenRecovery()];
    const ownSession = randomUUID();
    await finish(here, { sessionId: ownSession });
    await finish(job, { browserHash: null, sessionId: null });
    const marks = "SELECT added_by_session FROM credential WHERE value = ANY($1) ORDER BY created_at";
    expect(await store().query(marks, [[here.newOwn]])).toEqual([{ added_by_session: ownSession }]);
    expect(await store().query(marks, [[job.newOwn]])).toEqual([{ added_by_session: job.id }]);
    expect(await store().redeem(await store().answerLogin({ key: here.newOwn }))).toBe("unconfirmed");
    expect(await store().redeem(await store().answerLogin({ key: job.newOwn }))).toBe("unconfirmed");
  });
});

describe("an undone login", () => {
  async function undo({ sid }: { sid: string }) {
    const [row] = await store().query<{ undo_hash: Buffer }>(
      "SELECT undo_hash FROM login_session WHERE sid = $1",
      [sid],
    );
    if (!row) throw new Error(`there is no login ${sid}`);
    return markLoginUndone(store().database, { now: new Date(), sid, undoHash: row.undo_hash });
  }
  const cancelledAt = async ({ id }: { id: string }) => (await readRecoveryRow(store(), id))?.cancelled_at;

  test("cancels the pending recovery whose new key it provided", async () => {
    const [recovery, other] = [await answeredRecovery(), await answeredRecovery()];
    const { userId, newOwn, login, macs, now } = recovery;
    for (const item of [recovery, other]) await choose(item, { takesEffectAt: inSeconds(3600, now) });
    expect(await undo(login)).toMatchObject({ userId, isFirst: true, cancelsRecovery: true });
    expect(await cancelledAt(recovery)).toBeInstanceOf(Date);
    expect(await cancelledAt(other)).toBeNull();
    expect((await readRecoveryHistory(store(), userId)).at(-1)).toMatchObject({
      ...{ kind: "recovery_cancelled", reason: "undone", credential: newOwn, user_agent: "Safari" },
    });
    expect(await undo(login)).toMatchObject({ isFirst: false, cancelsRecovery: false });
    expect(await finish(recovery, { now: inSeconds(3600, now) })).toBeNull();
    expect((await openRecovery(store(), macs[0])).id).toBeDefined();
  });

  test("does not cancel a recovery whose key has since been chosen with another answer", async () => {
    const recovery = await answeredRecovery();
    const { id, newOwn, login, now } = recovery;
    expect(await undo(login)).toMatchObject({ isFirst: true, cancelsRecovery: false });
    const secondCode = await store().issue({ intent: { intent: "recover", askedBy: id } });
    await store().answer(secondCode.challenge, newOwn, { registers: true });
    await choose({ ...recovery, login: secondCode }, { takesEffectAt: inSeconds(3600, now) });
    expect(await undo(login)).toMatchObject({ isFirst: false, cancelsRecovery: false });
    expect(await cancelledAt(recovery)).toBeNull();
  });

  test("does not cancel a recovery that is pending with another key or has taken effect", async () => {
    const [waits, done] = [await answeredRecovery(), await chosenRecovery()];
    const other = await store().issue({ intent: { intent: "recover", askedBy: waits.id } });
    await store().answer(other.challenge, newKey(), { registers: true });
    await choose(waits, { takesEffectAt: inSeconds(3600, waits.now) });
    await finish(done);
    for (const item of [other, done.login]) {
      expect(await undo(item)).toMatchObject({ isFirst: true, cancelsRecovery: false });
    }
    for (const item of [waits, done]) expect(await cancelledAt(item)).toBeNull();
  });

  test.each([
    ["the undo comes first, so the key is not chosen", true],
    ["the choice comes first, so the recovery is cancelled", false],
  ])("is consistent with a key that is chosen simultaneously: %s", async (_what, undoneFirst) => {
    const recovery = await answeredRecovery();
    const { id, login } = recovery;
    const heldRow = await holdLock(store().url, "SELECT 1 FROM recovery WHERE id = $1 FOR UPDATE", [id]);
    const acts = [() => undo(login), () => choose(recovery)] as const;
    const [first, second] = undoneFirst ? acts : acts.toReversed();
    const attempts = [first?.()];
    await heldRow.waiting(1);
    attempts.push(second?.());
    await heldRow.waiting(2);
    await heldRow.release();
    const [one, two] = await Promise.all(attempts);
    const [undone, choice] = undoneFirst ? [one, two] : [two, one];
    expect(undone).toMatchObject({ isFirst: true, cancelsRecovery: !undoneFirst });
    expect(choice === null).toBe(undoneFirst);
    if (undoneFirst) expect(await readRecoveryRow(store(), id)).toMatchObject(NOT_CHOSEN);
    else expect(await cancelledAt(recovery)).toBeInstanceOf(Date);
    // Either way, the recovery has no effect.
    expect(await finish(recovery)).toBeNull();
    expect(await store().redeem(login)).toBeNull();
    expect(await keysOf(recovery.userId)).toHaveLength(1);
  });
});

describe("the recovery job", () => {
  test("finds due recoveries that have not ended, the earliest first", async () => {
    const now = new Date();
    const due = async (seconds: number, condition = "id = id") => {
      const user = await createUserWithCodes(store());
      const { id } = await openRecovery(store(), user.macs[0]);
      await store().query(`UPDATE recovery SET takes_effect_at = $2, ${condition} WHERE id = $1`, [
        id,
        inSeconds(seconds, now),
      ]);
      return id;
    };
    const later = await due(0);
    const first = await due(-60);
    const others: string[] = [
      await due(0.001),
      await due(-60, "finished_at = now()"),
      await due(-60, "cancelled_at = now()"),
    ];
    const dueIds = await findDueRecoveries(store().database, now);
    const ownIds = new Set<string>([first, later, ...others]);
    expect(dueIds.filter((id) => ownIds.has(id))).toEqual([first, later]);
  });

  test("cancels a single recovery, records the reason, and leaves the user's recovery codes valid", async () => {
    const [recovery, other] = [await chosenRecovery(), await chosenRecovery()];
    const { id, userId, newOwn, now } = recovery;
    expect(await cancelConflictingRecovery(store().database, id, now)).toEqual({ userId });
    expect(await readRecoveryRow(store(), id)).toMatchObject({ cancelled_at: now });
    expect(await readRecoveryRow(store(), other.id)).toMatchObject({ cancelled_at: null });
    expect((await readRecoveryHistory(store(), userId)).at(-1)).toMatchObject({
      ...{
        at: now,
        kind: "recovery_cancelled",
        reason: "credential_taken",
        credential: newOwn,
      },
    });
    expect(await codesOf(userId)).toHaveLength(2);
    expect(await cancelConflictingRecovery(store().database, id, now)).toBeNull();
    await finish(other);
    expect(await cancelConflictingRecovery(store().database, other.id, now)).toBeNull();
  });
});
