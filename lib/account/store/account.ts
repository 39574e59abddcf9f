import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { db } from "#lib/platform/database/db.ts";

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
export async function recordBackupAsked(userId: number, now: Date): Promise<void> {
  await db().user.updateMany({ where: { id: userId }, data: { backupAskedAt: now } });
}

/** How many domains a user has registered at the hosted API, in both modes. */
export async function countDomainsOfUser(userId: number): Promise<number> {
  return db().domain.count({ where: { owner: { userId } } });
}

/** What is kept about a user, but for secrets, their hashes, and the lists that grow with every sign-in. */
export async function readUser(userId: number) {
  const knownBrowsers = await db().knownBrowser.findMany({ where: { userId }, select: { lastSeenAt: true } });
  const user = await db().user.findFirstOrThrow({
    where: { id: userId },
    select: {
      id: true,
      createdAt: true,
      backupAskedAt: true,
      credentials: { omit: { userId: true } },
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
  return { ...user, knownBrowsers };
}

const PAGE = 500;

/** The browser sessions of a user after the one with this id, in the order of their ids: some hundred at a time. */
export async function readBrowserSessionsPage(userId: number, after: string | undefined) {
  const where = { userId, ...(after === undefined ? {} : { id: { gt: after } }) };
  return db().browserSession.findMany({
    where,
    orderBy: { id: "asc" },
    take: PAGE,
    omit: { userId: true, approvedAt: true, undoHashes: true },
  });
}

/** The logins of a user after the one with this sid, likewise; those at a tenant's domains are the tenant's. */
export async function readLoginSessionsPage(userId: number, after: string | undefined) {
  return db().loginSession.findMany({
    where: { userId, flow: { not: "hosted" }, ...(after === undefined ? {} : { sid: { gt: after } }) },
    orderBy: { sid: "asc" },
    take: PAGE,
    omit: { userId: true, browserHash: true, knownBrowserHash: true, network: true, undoHash: true },
  });
}

/** The login history of a user after the line with this id, likewise. */
export async function readHistoryPage(userId: number, after: bigint | undefined) {
  const where = { userId, ...(after === undefined ? {} : { id: { gt: after } }) };
  return db().loginEvent.findMany({
    where,
    orderBy: { id: "asc" },
    take: PAGE,
    omit: { userId: true, bySession: true },
  });
}

const SESSIONS_SHOWN = 100;

/** A user's live browser sessions, newest first. */
export async function listBrowserSessions(userId: number, now: Date): Promise<BrowserSession[]> {
  return db().browserSession.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    take: SESSIONS_SHOWN,
    omit: { expiresAt: true, approvedAt: true },
  });
}
