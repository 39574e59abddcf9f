import {
  APPROVAL_SECONDS,
  BROWSER_SESSION_TOUCH_SECONDS,
  LOGIN_SESSION_IDLE_SECONDS,
} from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { type Database, statement } from "./database.ts";

/** A browser that is signed in. The row is the session: without it NextAuth's token is worth nothing. */
export type BrowserSession = {
  id: string;
  userId: number;
  /** The key or address that it was opened with. */
  credential: string;
  deviceInfo: unknown;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
};

const FIND = statement({
  name: "find-browser-session",
  select: `SELECT id, user_id AS "userId", credential, device_info AS "deviceInfo", user_agent AS "userAgent",
      created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt"
    FROM browser_session WHERE id = $1::uuid AND expires_at > $2::timestamptz`,
});

/** The live session with this id; null when it was ended, expired or never there. */
export async function findBrowserSession(database: Database, id: string, now: Date) {
  return (await database.run<BrowserSession & { expiresAt: Date }>(FIND, [id, now]))[0] ?? null;
}

const TOUCH = statement({
  name: "touch-browser-session",
  with: `touched AS (UPDATE browser_session SET last_seen_at = $2::timestamptz WHERE id = $1::uuid RETURNING id)`,
  select: "SELECT id FROM touched",
  durable: false,
});

/** Notes that a session was seen; at most once in five minutes. */
export async function touchBrowserSession(database: Database, session: BrowserSession, now: Date) {
  if (session.lastSeenAt > addSeconds(now, -BROWSER_SESSION_TOUCH_SECONDS)) return;
  await database.run(TOUCH, [session.id, now]);
}

/**
 * The condition that a browser session's sign-in is fresh enough to change the account.
 * @param session the row's name
 * @param now the placeholder of the request's time
 */
export const approvedSince = (session: string, now: string) =>
  `${session}.created_at >= ${now}::timestamptz - interval '${APPROVAL_SECONDS} seconds'`;

/** Which sessions to end (none if `userId` is null), and which browser asked. */
export type SessionsEnd = {
  now: Date;
  userId: number | null;
  /** One of the user's, or null for all. */
  id: string | null;
  reason: "signed_out" | "revoked";
  /** SHA-256 of the secret in the cookie of the browser that asks. */
  browserHash: Uint8Array | null;
  /** True when this browser's own session is among them. */
  endsHere: boolean;
};

/**
 * The condition that a login may still be answered or redeemed, with room for processes whose clocks differ. Older ones
 * are kept for a day and can be many: a statement that ends sessions does not read them.
 */
const mayGoOn = (column: "challenged_at" | "authenticated_at") =>
  `${column} > $1::timestamptz - interval '${2 * LOGIN_SESSION_IDLE_SECONDS} seconds'`;

/**
 * The part of a statement that ends browser sessions, and the logins that would sign somebody in again.
 * @param user an expression for the user's id, such as `$2::int`. `$1` and `$3` to `$6` are as in END
 */
export const endingSessions = (user: string) => `ended AS (
    DELETE FROM browser_session WHERE user_id = ${user} AND ($3::uuid IS NULL OR id = $3::uuid)
    RETURNING id, user_id, credential, user_agent, known_browser_hash
  ), disowned AS (
    -- A browser that its user has thrown out is new to the account again: it is announced if it comes back.
    DELETE FROM known_browser USING ended
    WHERE $4::text = 'revoked' AND known_browser.user_id = ended.user_id
      AND known_browser.hash = ended.known_browser_hash
    RETURNING 1
  ), in_progress AS (
    -- At the browser that signs out, every login, answered or not.
    SELECT sid FROM login_session WHERE $6::boolean AND browser_hash = $5::bytea AND ${mayGoOn("challenged_at")}
    UNION
    -- When sessions are revoked, the logins that the user's keys have answered in other browsers.
    SELECT sid FROM login_session
    WHERE $4::text = 'revoked' AND user_id = ${user} AND browser_hash IS DISTINCT FROM $5::bytea
      AND ${mayGoOn("authenticated_at")}
    UNION
    -- Codes that a session which ends has asked for.
    SELECT sid FROM login_session
    WHERE adds_to_session IN (SELECT id FROM ended) AND ${mayGoOn("challenged_at")}
    UNION
    SELECT sid FROM login_session
    WHERE approves_session IN (SELECT id FROM ended) AND ${mayGoOn("challenged_at")}
  ), forgotten AS (
    -- A session of the hosted API is its tenant's, whoever answered it.
    DELETE FROM login_session WHERE sid IN (SELECT sid FROM in_progress) AND redeemed_at IS NULL AND flow <> 'hosted'
    RETURNING 1
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
    SELECT $1::timestamptz, 'session_ended', user_id, $4::text, credential, user_agent FROM ended
  )`;

const END = statement({
  name: "end-browser-sessions",
  with: endingSessions("$2::int"),
  select: "SELECT count(*)::int AS count FROM ended",
});

/**
 * Ends browser sessions of a user, and with them the logins in progress that would sign somebody in again: one
 * statement (docs/protocol.md#43-signing-out). It may conflict with another: call it in `retryOnConflict`.
 * @returns how many sessions ended
 */
export async function endBrowserSessions(database: Database, end: SessionsEnd): Promise<number> {
  const { now, userId, id, reason, browserHash, endsHere } = end;
  const [row] = await database.run<{ count: number }>(END, [now, userId, id, reason, browserHash, endsHere]);
  return row?.count ?? 0;
}
