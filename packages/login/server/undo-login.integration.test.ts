import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Issued, inSeconds, startLoginStore } from "../../../e2e/support/login-store.ts";
import { endSessionsOfUndoneLogin, markLoginUndone } from "./undo-login.ts";

/** docs/protocol.md#112-after-signing */

const store = startLoginStore();

type User = { userId: number; key: string };

async function signIn(user: User, approves?: string): Promise<{ login: Issued; sessionId: string }> {
  const sessionId = randomUUID();
  const login = await store().answerLogin(
    user,
    approves ? { intent: { intent: "approve", askedBy: approves } } : {},
  );
  expect(await store().redeem(login, { browserSessionId: sessionId })).toEqual({ userId: user.userId });
  return { login, sessionId };
}

async function undo({ userId }: User, { sid }: Issued) {
  const [row] = await store().query<{ undo_hash: Uint8Array }>(
    "SELECT undo_hash FROM login_session WHERE sid = $1",
    [sid],
  );
  if (!row) throw new Error("there is no such login");
  const undone = { now: new Date(), sid, undoHash: row.undo_hash };
  const undoneLogin = await markLoginUndone(store().database, undone);
  await endSessionsOfUndoneLogin(store().database, { ...undone, userId });
  return undoneLogin;
}

const sessionIds = async ({ userId }: User) => (await store().listSessions(userId)).map(({ id }) => id);

/** The first sign-in uses a login, and the others approvals that each replace the session. */
async function chain(user: User, length: number) {
  const signIns = [await signIn(user)];
  while (signIns.length < length) signIns.push(await signIn(user, signIns.at(-1)?.sessionId));
  return signIns;
}

describe("undoing a login", () => {
  test.each([0, 1, 7, 19])(
    "ends the last of twenty consecutive sessions if any one of their logins is undone: number %i",
    async (index) => {
      const user = await store().newUser();
      const [signIns, other] = [await chain(user, 20), await signIn(user)];
      expect(await sessionIds(user)).toEqual([signIns.at(-1)?.sessionId, other.sessionId]);
      const { login } = signIns[index] ?? other;
      expect(await undo(user, login)).toMatchObject({ isFirst: true, userId: user.userId });
      expect(await sessionIds(user)).toEqual([other.sessionId]);
    },
  );

  test("stores no more data for a session after many approvals than after a few", async () => {
    const user = await store().newUser();
    const sizeAfter = async (length: number) => {
      const { sessionId = "" } = (await chain(user, length)).at(-1) ?? {};
      const size = "SELECT pg_column_size(session.*) AS bytes FROM browser_session AS session WHERE id = $1";
      return (await store().query<{ bytes: number }>(size, [sessionId]))[0]?.bytes;
    };
    expect(await sizeAfter(40)).toEqual(await sizeAfter(10));
  });

  test("ends a session that a process running the previous version renewed or opened", async () => {
    const user = await store().newUser();
    const { login, sessionId } = await signIn(user);
    const replaced = randomUUID();
    await store().query("UPDATE browser_session SET id = $2, lineage = NULL WHERE id = $1", [
      sessionId,
      replaced,
    ]);
    await store().query("UPDATE login_event SET by_session = NULL WHERE sid = $1", [login.sid]);
    await signIn(user, replaced);
    await undo(user, login);
    expect(await sessionIds(user)).toEqual([]);
  });

  test("drops the undo hash of a session that is older than ten minutes", async () => {
    const user = await store().newUser();
    const { sessionId } = await signIn(user);
    await store().query("UPDATE browser_session SET created_at = $2 WHERE id = $1", [
      ...[sessionId, inSeconds(-601)],
    ]);
    await signIn(user, sessionId);
    expect(await store().listSessions(user.userId)).toMatchObject([{ undo_hashes: { length: 1 } }]);
  });
});
