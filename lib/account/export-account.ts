import { SIGN_INS } from "#lib/login/account/store/history.ts";
import { notSignedIn } from "#lib/login/approval/asker.ts";
import { now, waitForTurn } from "#lib/login/process/state.ts";
import { db } from "#lib/platform/database/db.ts";

/** Rows of a list that are read and written at a time. */
const PAGE = 500;

/**
 * Everything kept about a user as JSON, except secrets and their hashes. The logins of a tenant's users belong to the
 * tenant, who reads them with its API keys.
 *
 * Some lists grow with every sign-in, so they are read and written in pages: other requests run in between.
 * @throws {Refusal} 401 when the account was deleted meanwhile
 */
export async function exportAccount(userId: number): Promise<string> {
  const user = toJson(await readUser(userId)).slice(0, -1);
  const after = <Id>(id: Id | undefined) => (id === undefined ? {} : { gt: id });
  const browsers = await allPages<{ id: string }, string>(
    (last) =>
      db().browserSession.findMany({
        where: { userId, id: after(last) },
        orderBy: { id: "asc" },
        take: PAGE,
        omit: {
          ...{ userId: true, approvedAt: true, undoHashes: true, knownBrowserHash: true, lineage: true },
          ...{ noticesShown: true, noticesDismissedTo: true, noticesDismissed: true },
        },
      }),
    ({ id }) => id,
  );
  const logins = await allPages<{ sid: string }, string>(
    (last) =>
      db().loginSession.findMany({
        where: { userId, flow: { not: "hosted" }, sid: after(last) },
        orderBy: { sid: "asc" },
        take: PAGE,
        omit: { userId: true, browserHash: true, knownBrowserHash: true, network: true, undoHash: true },
      }),
    ({ sid }) => sid,
  );
  const history = await allPages<{ id: bigint }, bigint>(
    async (last) => {
      const rows = await db().loginEvent.findMany({
        where: { userId, id: after(last) },
        orderBy: { id: "asc" },
        take: PAGE,
        omit: { userId: true, bySession: true },
      });
      // The subject of a sign-in is the hash of the word that takes it back.
      return rows.map((row) => (SIGN_INS.includes(row.kind) ? { ...row, subject: null } : row));
    },
    ({ id }) => id,
  );
  const lists = `"browserSessions":${browsers},"loginSessions":${logins}`;
  return `{"exported_at":${toJson(now())},"user":${user},${lists}},"history":${history}}`;
}

/** What is kept about a user, except secrets, their hashes, and the lists that grow with every sign-in. */
async function readUser(userId: number) {
  const knownBrowsers = await db().knownBrowser.findMany({ where: { userId }, select: { lastSeenAt: true } });
  const user = await db().user.findFirst({
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
          domains: { omit: { ownerId: true, secret: true, previousSecret: true, earlierSecrets: true } },
        },
      },
    },
  });
  // The account was deleted since the session was looked at.
  if (!user) throw notSignedIn();
  const { name = null, picture = null } = user.profile ?? {};
  const profile = { name, picture: picture && Buffer.from(picture).toString("base64") };
  return { ...user, profile, knownBrowsers };
}

/** The rows of all pages as a JSON array; `idOf` says after which row the next page begins. */
async function allPages<Row, Id>(
  readPage: (last: Id | undefined) => Promise<Row[]>,
  idOf: (row: Row) => Id,
): Promise<string> {
  const parts: string[] = [];
  let rows = await readPage(undefined);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    await waitForTurn();
    parts.push(rows.map(toJson).join(","));
    rows = await readPage(idOf(last));
  }
  return `[${parts.join(",")}]`;
}

/** A BigInt becomes a number: JSON has none. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? Number(each) : each));
}
