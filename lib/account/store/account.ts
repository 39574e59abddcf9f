import "server-only";
import { db } from "#lib/platform/database/db.ts";
import { givenUpAt } from "./given-up-at.ts";

/** The queries on users as a whole. */

/** Whether the dashboard has to ask for a second way in: how often the user signed in, and whether it has asked. */
export async function readBackupQuestion(userId: number): Promise<{ signIns: number; asked: boolean }> {
  const [signIns, user] = await Promise.all([
    db().loginEvent.count({ where: { userId, kind: "session_created" } }),
    db().user.findFirst({ where: { id: userId }, select: { backupAskedAt: true } }),
  ]);
  return { signIns, asked: user?.backupAskedAt != null };
}

/** Notes that the user has put the question for a second way in aside. */
export async function noteBackupAsked(userId: number, now: Date): Promise<void> {
  await db().user.updateMany({ where: { id: userId }, data: { backupAskedAt: now } });
}

/** How many domains a user has registered at the hosted API, in both modes. */
export async function countDomainsOfUser(userId: number): Promise<number> {
  return db().domain.count({ where: { owner: { userId } } });
}

/**
 * Deletes a user with their ways in, browser sessions, logins, recovery codes, recoveries, API keys and history: one
 * transaction. What refers to the user waits for it, and finds nobody.
 * @returns false when the user has domains registered, and nothing was deleted
 */
export async function deleteUser(userId: number, now: Date): Promise<boolean> {
  return db().$transaction(async (within) => {
    const held = await within.$queryRaw<unknown[]>`
      SELECT id FROM user_account WHERE id = ${userId} AND statement_timestamp() < ${givenUpAt(now)}::timestamptz
        AND NOT EXISTS (SELECT 1 FROM domain JOIN owner ON owner.id = owner_id WHERE owner.user_id = ${userId})
      FOR UPDATE`;
    if (held.length === 0) return false;
    await within.$executeRaw`
      DELETE FROM login_event WHERE user_id = ${userId}
        OR sid IN (SELECT sid FROM login_session WHERE user_id = ${userId} AND flow <> 'hosted')`;
    await within.$executeRaw`
      DELETE FROM hosted_login WHERE public_key IN (SELECT value FROM credential WHERE user_id = ${userId})`;
    await within.$executeRaw`
      DELETE FROM login_session WHERE recovers IN (SELECT id FROM recovery WHERE user_id = ${userId})
        OR adds_to_session IN (SELECT id FROM browser_session WHERE user_id = ${userId})
        OR approves_session IN (SELECT id FROM browser_session WHERE user_id = ${userId})`;
    await within.$executeRaw`DELETE FROM user_account WHERE id = ${userId}`;
    return true;
  });
}

/** Everything that is kept about a user, but for secrets and their hashes. */
export async function readAccount(userId: number) {
  const user = await db().user.findFirstOrThrow({
    where: { id: userId },
    select: {
      id: true,
      createdAt: true,
      backupAskedAt: true,
      credentials: { omit: { userId: true } },
      browserSessions: { omit: { userId: true } },
      loginSessions: { where: { flow: { not: "hosted" } }, omit: { userId: true, browserHash: true } },
      recoveryCodes: { select: { createdAt: true, confirmedAt: true } },
      recoveries: { omit: { userId: true, codeId: true, secretHash: true } },
      owner: {
        select: {
          id: true,
          name: true,
          createdAt: true,
          apiKeys: { omit: { ownerId: true, hash: true } },
          domains: { omit: { ownerId: true, secret: true, previousSecret: true } },
        },
      },
    },
  });
  const history = await db().loginEvent.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    omit: { userId: true, id: true },
  });
  return jsonSafe({ user, history });
}

/** `signed_at` is a BigInt, which JSON has none of. */
function jsonSafe<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? Number(each) : each)));
}
