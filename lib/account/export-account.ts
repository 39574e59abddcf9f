import { db } from "#lib/platform/database/db.ts";
import { SIGN_IN_EVENT_KINDS } from "#packages/login/plugins/account/store/history.ts";
import { notSignedInRefusal } from "#packages/login/plugins/approvals/requester.ts";
import { now, waitForEventLoopTurn } from "#packages/login/process/state.ts";

/** Rows per statement. */
const PAGE = 400;

/** Parts of a JSON text, in order. */
type JsonParts = AsyncGenerator<string>;

/**
 * Exports all data about a user as JSON, except secrets and their hashes. The export omits logins at the hosted API:
 * they belong to the tenant, which can read them with its API keys.
 *
 * Reads every list in pages, and each page only after the reader has received the previous one, so that other requests
 * can run in between.
 * @throws {Refusal} 401 with the first part if the account was deleted in the meantime
 */
export async function* exportAccount(userId: number): JsonParts {
  const { owner, ...user } = await readUser(userId);
  const lists = {
    credentials: credentials(userId),
    knownBrowsers: knownBrowsers(userId),
    recoveries: recoveries(userId),
    browserSessions: browserSessions(userId),
    loginSessions: loginSessions(userId),
    owner: owner ? object(owner, { apiKeys: apiKeys(owner.id), domains: domains(owner.id) }) : noItems(),
  };
  yield* object({ exported_at: now() }, { user: object(user, lists), history: history(userId) });
}

async function readUser(userId: number) {
  const user = await db().user.findFirst({
    where: { id: userId },
    select: {
      id: true,
      createdAt: true,
      profile: { select: { name: true, picture: true } },
      recoveryCodes: { select: { createdAt: true, confirmedAt: true } },
      owner: { select: { id: true, name: true, createdAt: true } },
    },
  });
  // The account was deleted after the session was checked.
  if (!user) throw notSignedInRefusal();
  const { name = null, picture = null } = user.profile ?? {};
  const profile = { name, picture: picture && Buffer.from(picture).toString("base64") };
  return { ...user, profile };
}

const after = <Id>(last: Id | undefined) => (last === undefined ? {} : { gt: last });
const BY_ID = { orderBy: { id: "asc" }, take: PAGE } as const;

const credentials = (userId: number) =>
  list(
    (last: string | undefined) =>
      db().credential.findMany({ where: { userId, id: after(last) }, ...BY_ID, omit: { userId: true } }),
    ({ id }) => id,
  );

const knownBrowsers = (userId: number) =>
  list(
    (last: Uint8Array | undefined) => db().$queryRaw<
      { hash: Uint8Array; lastSeenAt: Date }[]
    >`SELECT hash, last_seen_at AS "lastSeenAt" FROM known_browser
      WHERE user_id = ${userId} AND hash > ${last ?? new Uint8Array()} ORDER BY hash LIMIT ${PAGE}`,
    ({ hash }) => hash,
    ({ lastSeenAt }) => ({ lastSeenAt }),
  );

const recoveries = (userId: number) =>
  list(
    (last: string | undefined) =>
      db().recovery.findMany({
        ...{ where: { userId, id: after(last) }, ...BY_ID },
        omit: { userId: true, codeId: true, secretHash: true },
      }),
    ({ id }) => id,
  );

const browserSessions = (userId: number) =>
  list(
    (last: string | undefined) =>
      db().browserSession.findMany({
        ...{ where: { userId, id: after(last) }, ...BY_ID },
        omit: {
          ...{ userId: true, approvedAt: true, undoHashes: true, knownBrowserHash: true, lineage: true },
          ...{ noticesShown: true, noticesDismissedTo: true, noticesDismissed: true },
        },
      }),
    ({ id }) => id,
  );

const loginSessions = (userId: number) =>
  list(
    (last: string | undefined) =>
      db().loginSession.findMany({
        where: { userId, flow: { not: "hosted" }, sid: after(last) },
        orderBy: { sid: "asc" },
        take: PAGE,
        omit: { userId: true, browserHash: true, knownBrowserHash: true, network: true, undoHash: true },
      }),
    ({ sid }) => sid,
  );

const apiKeys = (ownerId: string) =>
  list(
    (last: string | undefined) =>
      db().apiKey.findMany({
        ...{ where: { ownerId, id: after(last) }, ...BY_ID },
        omit: { ownerId: true, hash: true },
      }),
    ({ id }) => id,
  );

const domains = (ownerId: string) =>
  list(
    (last: string | undefined) =>
      db().domain.findMany({
        ...{ where: { ownerId, id: after(last) }, ...BY_ID },
        omit: { ownerId: true, secret: true, previousSecret: true, earlierSecrets: true },
      }),
    ({ id }) => id,
  );

const history = (userId: number) =>
  list(
    (last: bigint | undefined) =>
      db().loginEvent.findMany({
        ...{ where: { userId, id: after(last) }, ...BY_ID },
        omit: { userId: true, bySession: true, dismissedIn: true },
      }),
    ({ id }) => id,
    // For a sign-in, `subject` is the hash of its undo secret.
    (entry) => (SIGN_IN_EVENT_KINDS.includes(entry.kind) ? { ...entry, subject: null } : entry),
  );

/** First `fields`, which must not be empty, then the fields whose values consist of several parts. */
async function* object(fields: object, more: Record<string, JsonParts>): JsonParts {
  yield toJson(fields).slice(0, -1);
  for (const [name, parts] of Object.entries(more)) {
    yield `,${toJson(name)}:`;
    yield* parts;
  }
  yield "}";
}

async function* noItems(): JsonParts {
  yield "null";
}

/** @param placeOf returns a row's position, at which the next page begins */
async function* list<Row, Place>(
  readPage: (last: Place | undefined) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
  toExported: (row: Row) => unknown = (row) => row,
): JsonParts {
  yield "[";
  let separator = "";
  let rows = await readPage(undefined);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    await waitForEventLoopTurn();
    yield separator + rows.map((row) => toJson(toExported(row))).join(",");
    separator = ",";
    rows = rows.length < PAGE ? [] : await readPage(placeOf(last));
  }
  yield "]";
}

/** A BigInt becomes a number, because JSON has no BigInt. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === "bigint" ? Number(item) : item));
}
