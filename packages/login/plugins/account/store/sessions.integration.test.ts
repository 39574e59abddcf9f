import { describe, expect, test } from "vitest";
import { holdLock } from "../../../../../e2e/support/held-lock.ts";
import { newHash, startLoginStore } from "../../../../../e2e/support/login-store.ts";
import { toRequester } from "../../../../../e2e/support/recovery-store.ts";
import type { Database } from "../../../database/database.ts";
import { endOwnBrowserSessions } from "./sessions.ts";

/** Signing out everywhere is a single statement, so a 503 means that no browser was signed out. */

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

describe("signing out everywhere", () => {
  test("also ends a session that a concurrent sign-in opens", async () => {
    const user = await store().newUser();
    const { sessionId } = await store().openSession(user);
    const login = await store().answerLogin(user);
    const browserHash = newHash();
    const ownLogin = await store().answerLogin(user, { browserHash });
    // The sign-in has redeemed its login and waits for this lock. Signing out waits for the login.
    const lock = await holdLock(store().url, "SELECT 1 FROM user_account WHERE id = $1 FOR UPDATE", [
      user.userId,
    ]);
    const signingIn = store().redeem(login);
    await lock.waiting(1);
    const all = { id: null, browserHash, endsHere: true };
    const signingOut = endOwnBrowserSessions(oneStatement(), toRequester({ ...user, sessionId }), all);
    await lock.waiting(2);
    await lock.release();
    expect(await signingIn).toEqual({ userId: user.userId });
    expect(await signingOut).toBe(2);
    expect(await store().listSessions(user.userId)).toEqual([]);
    expect(await store().redeem(ownLogin)).toBeNull();
    const findReasons = "SELECT reason FROM login_event WHERE user_id = $1 AND kind = 'session_ended'";
    expect(await store().query(findReasons, [user.userId])).toEqual([
      { reason: "revoked" },
      { reason: "revoked" },
    ]);
  });

  test("leaves no session open after four simultaneous sign-ins and an approval", async () => {
    for (let round = 0; round < 12; round += 1) {
      const user = await store().newUser();
      const { sessionId } = await store().openSession(user);
      const { sessionId: askedBy } = await store().openSession(user);
      const approval = await store().answerLogin(user, { intent: { intent: "approve", askedBy } });
      const logins = await Promise.all([1, 2, 3, 4].map(() => store().answerLogin(user)));
      const all = { id: null, browserHash: null, endsHere: true };
      await Promise.all([
        endOwnBrowserSessions(oneStatement(), toRequester({ ...user, sessionId }), all),
        ...[approval, ...logins].map((login) => store().redeem(login)),
      ]);
      expect(await store().listSessions(user.userId)).toEqual([]);
    }
  });
});
