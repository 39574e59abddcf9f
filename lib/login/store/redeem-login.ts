import { LOGIN_SESSION_IDLE_SECONDS, UNDO_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { creatingUser, NEW_USER_ID } from "./accept-response.ts";
import { type Database, retryOnConflict, type Statement, startedInTime, statement } from "./database.ts";

/** What a login is redeemed with: the browser that holds the secret, and the browser session that it gets. */
export type Redemption = {
  now: Date;
  sid: string;
  browserHash: Uint8Array;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
  /** The browser session that the browser has now. The session that added a key is not asked about it. */
  currentSessionId: string | null;
  /** The holder of an added key has seen which account it opens, and continues. */
  continues: boolean;
};

/** Who was signed in; `stopped` when the key's holder is asked first; null when there is nothing to redeem. */
export type RedemptionOutcome = { userId: number } | "stopped" | null;

/** Where each table keeps what redeems a login. A customer's login does not say whose key answered it. */
const COLUMNS = {
  login_session: { sid: "sid", credential: "credential", userId: "user_id", deviceInfo: "device_info" },
  hosted_login: { sid: "session_id", credential: "public_key", userId: null, deviceInfo: "NULL::jsonb" },
};

/** What differs between flows when a login is redeemed. */
export type RedeemableLogins = {
  /** The statement's name. */
  name: string;
  table: keyof typeof COLUMNS;
  /** Which of the table's answered logins sign in. */
  condition: string;
  /** The kind of credential made for a key or address without a user, along with a user; null if none is made. */
  creates: "public_key" | "address" | null;
  /** True for approvals: the asking session ends, with all copies of its token (docs/protocol.md#44-approval). */
  renews: boolean;
};

/** The line of sessions that the new one continues, or begins. */
const lineage = (renews: boolean) => (renews ? "(SELECT lineage FROM renewed)" : "$5::uuid");

/**
 * Opens a browser session for the row of `redeemed`. No other statement opens one. A trigger then ends the account's
 * oldest ones beyond the hundredth.
 */
const opened = (renews: boolean) => `opened AS (
    INSERT INTO browser_session
      (id, user_id, credential, device_info, user_agent, created_at, last_seen_at, expires_at, undo_hashes,
        known_browser_hash, lineage)
    SELECT $5::uuid, user_id, credential, device_info, $6::text, $1::timestamptz, $1::timestamptz, $7::timestamptz,
      ${renews ? "(SELECT undo_hashes FROM renewed) || " : ""}array_remove(ARRAY[redeemed.undo_hash], NULL),
      ${renews ? "COALESCE(redeemed.known_browser_hash, (SELECT known_browser_hash FROM renewed))" : "redeemed.known_browser_hash"},
      ${lineage(renews)}
    FROM redeemed
  )`;

/**
 * Makes the browser known to the account; a trigger then forgets the oldest beyond the two hundredth. When it was last
 * seen is written once a day.
 */
const KNOWN = `known AS (
    INSERT INTO known_browser (user_id, hash, last_seen_at)
    SELECT user_id, known_browser_hash, $1::timestamptz FROM redeemed WHERE known_browser_hash IS NOT NULL
    ON CONFLICT (user_id, hash) DO UPDATE SET last_seen_at = excluded.last_seen_at
      WHERE known_browser.last_seen_at < excluded.last_seen_at - interval '1 day'
    RETURNING xmax = 0 AS is_new
  ), `;

/** The subject of a sign-in's audit entry if the browser is new to the account: the hash that undoes the login. */
const IF_NEW_BROWSER = "(SELECT encode(redeemed.undo_hash, 'hex') FROM known WHERE known.is_new)";

/** How many logins a process of the previous version can undo of a line of sessions: the last ones. */
const UNDO_HASHES_KEPT = 8;

/**
 * Locks the browser session that an approval renews, so that one that is just being ended is not renewed. Locks the
 * user first, as the account's changes do, so that both wait in one order.
 */
const RENEWED = `account AS (
    SELECT id FROM user_account WHERE id = (SELECT user_id FROM answered) FOR NO KEY UPDATE
  ), renewed AS (
    SELECT session.id, session.user_id, session.known_browser_hash, COALESCE(session.lineage, session.id) AS lineage,
      -- A process of the previous version undoes by these. A hash undoes for ten minutes, and is not older than its session.
      CASE WHEN session.created_at > $1::timestamptz - interval '${UNDO_SECONDS} seconds'
        THEN session.undo_hashes[GREATEST(cardinality(session.undo_hashes) - ${UNDO_HASHES_KEPT - 2}, 1):] ELSE '{}' END AS undo_hashes
    FROM browser_session AS session JOIN answered ON session.id = answered.approves_session
    WHERE session.user_id = (SELECT id FROM account) AND session.expires_at > $1::timestamptz
    FOR UPDATE OF session
  ), `;

const ENDED = `ended AS (
    DELETE FROM browser_session USING renewed, redeemed WHERE browser_session.id = renewed.id
  ), adopted AS (
    -- What this browser has added is still its own.
    UPDATE credential SET added_by_session = $5::uuid FROM renewed, redeemed
    WHERE credential.user_id = renewed.user_id AND credential.added_by_session = renewed.id
  ), `;

/**
 * The statements that redeem the logins of a flow: one asks the holder of an added key first, the other is for the
 * holder who continues. Every flow opens browser sessions with them.
 */
export type RedeemStatements = { asks: Statement; continues: Statement };

export const redeemStatements = (logins: RedeemableLogins): RedeemStatements => ({
  asks: redeemStatement(logins, false),
  continues: redeemStatement({ ...logins, name: `${logins.name}-continues` }, true),
});

/** An added key is its holder's own once the holder has continued. */
const CONTINUED = `continued AS (
    UPDATE credential SET added_by_session = NULL FROM redeemed
    WHERE credential.value = redeemed.credential AND credential.added_by_session IS NOT NULL
  ), `;

/** Only `login_session` says what undoes a login and which browser asked. A hosted login is undone by its sid. */
const undoColumns = (table: RedeemableLogins["table"]) =>
  table === "login_session"
    ? "login.undo_hash, login.known_browser_hash"
    : `sha256(convert_to(login.${COLUMNS[table].sid}, 'UTF8')) AS undo_hash, NULL::bytea AS known_browser_hash`;

const approvedSession = (renews: boolean) => (renews ? ", approves_session" : "");

function redeemStatement(logins: RedeemableLogins, continues: boolean): Statement {
  const { name, table, creates, renews } = logins;
  const { sid, credential, userId: holder, deviceInfo } = COLUMNS[table];
  const isOurs = table === "login_session";
  const userId = creates ? `COALESCE(held.user_id, ${NEW_USER_ID})` : "held.user_id";
  return statement({
    name,
    with: `answered AS (
    SELECT ${credential} AS credential, ${holder ?? "NULL::int"} AS user_id
      ${approvedSession(renews)} FROM ${table}
    WHERE ${sid} = $2::text AND browser_hash = $3::bytea AND authenticated_at > $4::timestamptz
      AND redeemed_at IS NULL AND ${logins.condition} AND ${startedInTime("$1")}
  ), ${renews ? RENEWED : ""}held AS (
    -- The key must still be the user's. Locked before the login is, as a removal does: one of the two waits, and
    -- either the key is gone here, or the removal ends the session that is opened here.
    SELECT held.user_id, ${!(continues || renews)} AND held.added_by_session <> $5::uuid AND NOT EXISTS (
        SELECT 1 FROM browser_session
        WHERE id = held.added_by_session AND id = $8::uuid AND expires_at > $1::timestamptz
      ) AS stops
    FROM credential AS held JOIN answered ON held.value = answered.credential
      AND (answered.user_id IS NULL OR answered.user_id = held.user_id)
      ${renews ? "JOIN renewed ON renewed.user_id = held.user_id" : ""}
    FOR KEY SHARE OF held
  ), redeemed AS (
    -- Of concurrent requests one changes the row; the others wait for it and find the login redeemed.
    UPDATE ${table} AS login
    SET redeemed_at = $1::timestamptz${holder ? `, ${holder} = ${userId}` : ""}
    FROM ${creates ? "answered LEFT JOIN held ON true" : "held"}
    WHERE login.${sid} = $2::text AND login.redeemed_at IS NULL AND held.stops IS NOT TRUE
      ${creates ? "AND (held.user_id IS NOT NULL OR answered.user_id IS NULL)" : ""}
    RETURNING ${holder ? `login.${holder}` : userId} AS user_id, login.${credential} AS credential,
      ${deviceInfo} AS device_info, held.user_id IS NULL AS is_new,
      ${undoColumns(table)}
  )${creates ? creatingUser("redeemed", creates, "$1") : ""}, ${renews ? ENDED : ""}${continues ? CONTINUED : ""}${isOurs ? KNOWN : ""}${opened(renews)}, logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, device_info, user_agent, subject, by_session)
    SELECT $1::timestamptz, '${renews ? "approved" : "session_created"}', $2::text, user_id, credential, device_info, $6::text,
      ${isOurs ? IF_NEW_BROWSER : "NULL"}, ${lineage(renews)}
    FROM redeemed
  )`,
    select: `SELECT (SELECT user_id FROM redeemed) AS "userId", EXISTS (SELECT 1 FROM held WHERE stops) AS stopped`,
  });
}

/** The condition for logins that sign in: their code asked for nothing else. */
export const SIGNS_IN = "COALESCE(adds_to_session, approves_session, recovers) IS NULL";

/** The logins at the site's own endpoints. Their user was found or created when the wallet answered. */
export const REDEEM_LOGIN = redeemStatements({
  name: "redeem-login",
  table: "login_session",
  condition: `flow = 'login' AND status = 'authenticated' AND ${SIGNS_IN}`,
  creates: null,
  renews: false,
});

/** The statements that redeem the approvals of a flow. */
export const redeemApprovals = (flow: "login" | "fast"): RedeemStatements =>
  redeemStatements({
    name: `redeem-${flow}-approval`,
    table: "login_session",
    condition: `flow = '${flow}' AND status = 'authenticated' AND approves_session IS NOT NULL`,
    creates: null,
    renews: true,
  });

/**
 * Redeems an answered login for the browser that holds the secret, once: one statement checks that the key is still
 * its user's, ends the login and opens the browser session (docs/protocol.md#42-redemption).
 */
export async function redeemLogin(
  database: Database,
  statements: RedeemStatements,
  redemption: Redemption,
): Promise<RedemptionOutcome> {
  const { now, sid, browserHash, browserSessionId, userAgent, expiresAt } = redemption;
  const answeredSince = addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const statement = redemption.continues ? statements.continues : statements.asks;
  const [row] = await retryOnConflict(() =>
    database.run<{ userId: number | null; stopped: boolean }>(statement, [
      ...[now, sid, browserHash, answeredSince, browserSessionId, userAgent, expiresAt],
      redemption.currentSessionId,
    ]),
  );
  if (row?.userId) return { userId: row.userId };
  return row?.stopped ? "stopped" : null;
}
