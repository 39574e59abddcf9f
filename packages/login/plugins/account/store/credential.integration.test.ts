import { expect, test } from "vitest";
import { holdLock } from "../../../../../e2e/support/held-lock.ts";
import { newKey, startLoginStore } from "../../../../../e2e/support/login-store.ts";
import { toRequester } from "../../../../../e2e/support/recovery-store.ts";
import type { Database } from "../../../database/database.ts";
import { disownAddedKey } from "../../added-keys/store/added-key.ts";
import { removeCredential, removeSignInMethodsBeforeRecovery } from "./credential.ts";

/** Each removal is a single statement, which also ends the sessions and logins that the sign-in method has opened. */

const store = startLoginStore();

function oneStatement(): Database {
  let isGone = false;
  return {
    async run(statement, values) {
      if (isGone) throw new Error("the database is gone");
      isGone = true;
      return store().database.run(statement, values);
    },
  };
}

/** The user's own browser added the second key, which predates a recovery. */
async function withSecondKey() {
  const user = await store().newUser();
  const { sessionId } = await store().openSession(user);
  const key = newKey();
  const [added] = await store().query<{ id: string }>(
    `INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session, before_recovery_at)
     VALUES (gen_random_uuid(), $1, 'public_key', $2, now(), $3, now()) RETURNING id`,
    [user.userId, key, sessionId],
  );
  return { ...user, sessionId, second: { key, id: added?.id ?? "" } };
}
type User = Awaited<ReturnType<typeof withSecondKey>>;

test.each<{ name: string; remove: (user: User) => Promise<unknown>; outcome: unknown }>([
  {
    name: "a sign-in method",
    remove: (user) => removeCredential(oneStatement(), toRequester(user), user.second.id),
    outcome: "removed",
  },
  {
    name: "the sign-in methods that are older than a recovery",
    remove: (user) => removeSignInMethodsBeforeRecovery(oneStatement(), toRequester(user)),
    outcome: true,
  },
  {
    name: "a key that its holder disowns",
    async remove({ second }) {
      const { sid, browserHash } = await store().answerLogin(second);
      return disownAddedKey(oneStatement(), { now: new Date(), sid, browserHash, userAgent: null });
    },
    outcome: true,
  },
])(
  "removes a sign-in method together with a session that a concurrent sign-in opens: $name",
  async ({ remove, outcome }) => {
    const user = await withSecondKey();
    const login = await store().answerLogin(user.second);
    // The sign-in has locked the key and waits for this lock. The removal waits for the sign-in.
    const lock = await holdLock(store().url, "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE", [
      login.sid,
    ]);
    const signingIn = store().redeem(login, { currentSessionId: user.sessionId });
    await lock.waiting(1);
    const removal = remove(user);
    await lock.waiting(2);
    await lock.release();
    expect(await signingIn).toEqual({ userId: user.userId });
    expect(await removal).toEqual(outcome);
    expect(await store().listSessions(user.userId)).toMatchObject([{ id: user.sessionId }]);
  },
);

test("does not end the requesting session when it removes that session's own key", async () => {
  const user = await withSecondKey();
  const other = await store().openSession(user);
  const [ownCredential] = await store().query<{ id: string }>("SELECT id FROM credential WHERE value = $1", [
    user.key,
  ]);
  expect(await removeCredential(store().database, toRequester(user), ownCredential?.id ?? "")).toBe(
    "removed",
  );
  expect(await store().listSessions(user.userId)).toMatchObject([{ id: user.sessionId }]);
  expect(other.sessionId).not.toBe(user.sessionId);
});
