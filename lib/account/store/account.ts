import { db } from "#lib/platform/database/db.ts";

/** The queries on users as a whole. */

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
      profile: { select: { name: true, picture: true } },
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
  const { name = null, picture = null } = user.profile ?? {};
  const profile = { name, picture: picture && Buffer.from(picture).toString("base64") };
  return { ...user, profile, knownBrowsers };
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
