import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import { plusSeconds } from "../protocol/time.ts";
import { type Database, statement } from "./database.ts";

/** What tells one flow's sessions from another's when a challenge is issued to a browser. */
export type IssuingFlow = {
  name: "login" | "fast";
  /** Older challenges of the session are deleted beyond this many; null keeps them to their own end. */
  challengesKept: number | null;
  /** True where a session that a wallet has answered gets no new challenge, and is not followed by a new one. */
  endsWhenAnswered: boolean;
};

/** What a browser asks for a code for, instead of signing in; `askedBy` is its session, or its recovery. */
export type CodeIntent = { intent: Intent; askedBy: string };

// Not durable: after a crash the browser asks for its code again. A wallet response that follows takes it along.
const ISSUE = statement({
  name: "issue-challenge",
  with: `renewed AS (
    UPDATE login_session SET status = 'pending',
      -- A session's challenges never share an instant, so that it is always clear which are the last.
      challenged_at = GREATEST($1::timestamptz, challenged_at + interval '1 millisecond')
    WHERE sid = $2::text AND flow = $8::flow AND browser_hash = $3::bytea AND status <> 'authenticated'
      AND (adds_to_session, approves_session, recovers) IS NOT DISTINCT FROM ($9::uuid, $12::uuid, $13::uuid)
      AND challenged_at > $4::timestamptz
    RETURNING sid, challenged_at
  ), answered AS (
    SELECT sid FROM login_session
    WHERE $11::boolean AND sid = $2::text AND flow = $8::flow AND browser_hash = $3::bytea
      AND status = 'authenticated' AND redeemed_at IS NULL AND authenticated_at > $4::timestamptz
      AND (adds_to_session, approves_session, recovers) IS NOT DISTINCT FROM ($9::uuid, $12::uuid, $13::uuid)
  ), browser AS (
    -- A secret is kept while a session of its own lives: none is adopted that the server did not make.
    SELECT EXISTS (
      SELECT 1 FROM login_session WHERE browser_hash = $3::bytea AND challenged_at > $4::timestamptz
    ) AS known
  ), created AS (
    INSERT INTO login_session
      (sid, flow, browser_hash, created_at, challenged_at, adds_to_session, approves_session, recovers)
    SELECT $5::text, $8::flow, CASE WHEN known THEN $3::bytea ELSE $6::bytea END, $1::timestamptz, $1::timestamptz,
      $9::uuid, $12::uuid, $13::uuid
    FROM browser
    WHERE NOT EXISTS (SELECT 1 FROM renewed) AND NOT EXISTS (SELECT 1 FROM answered)
    RETURNING sid, challenged_at
  ), session AS (
    SELECT * FROM renewed UNION ALL SELECT * FROM created
  ), issued AS (
    INSERT INTO challenge (text, sid, issued_at) SELECT $7::text, sid, challenged_at FROM session
  ), trimmed AS (
    DELETE FROM challenge WHERE $10::int IS NOT NULL AND sid = (SELECT sid FROM renewed) AND text NOT IN (
      SELECT text FROM challenge WHERE sid = (SELECT sid FROM renewed) ORDER BY issued_at DESC LIMIT $10::int
    )
  ), logged AS (
    INSERT INTO login_event (at, kind, sid) SELECT $1::timestamptz, 'issued', sid FROM session
  )`,
  select: `SELECT COALESCE(session.sid, answered.sid) AS sid, known OR answered.sid IS NOT NULL AS "keepsSecret",
      answered.sid IS NOT NULL AS answered
    FROM browser LEFT JOIN session ON true LEFT JOIN answered ON true`,
  durable: false,
});

/**
 * Issues a challenge for the live session `sid` of this browser, else for a new session. The browser's secret is kept
 * while a session of its own lives, else replaced.
 * @param input.intent what the browser asks for instead of signing in; a session keeps to it
 * @returns the session's sid, and whether the browser keeps its secret; `answered` when a wallet has answered and no
 *   challenge was issued
 */
export async function issueChallenge(
  database: Database,
  input: {
    now: Date;
    flow: IssuingFlow;
    challenge: string;
    sid: string | null;
    newSid: string;
    browserHash: Uint8Array | null;
    newBrowserHash: Uint8Array;
    intent: CodeIntent | null;
  },
): Promise<{ sid: string; keepsSecret: boolean; answered: boolean }> {
  const { now, flow, intent } = input;
  const askerFor = (asked: Intent) => (intent?.intent === asked ? intent.askedBy : null);
  const [row] = await database.run<{ sid: string; keepsSecret: boolean; answered: boolean }>(ISSUE, [
    ...[now, input.sid, input.browserHash, plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)],
    ...[input.newSid, input.newBrowserHash, input.challenge, flow.name, askerFor("add")],
    ...[flow.challengesKept === null ? null : flow.challengesKept - 1, flow.endsWhenAnswered],
    ...[askerFor("approve"), askerFor("recover")],
  ]);
  if (!row) throw new Error("no row of issue-challenge");
  return row;
}

/** What the status of a login session is read from. */
export type LoginSessionState = {
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
};

const FIND = statement({
  name: "find-login-session",
  select: `SELECT status, user_id AS "userId", challenged_at AS "challengedAt", browser_hash AS "browserHash"
    FROM login_session WHERE sid = $1::text AND flow = 'login'`,
  durable: false,
});

/** The state of a login session; null for a sid that the server did not make, or has deleted. */
export async function findLoginSession(database: Database, sid: string): Promise<LoginSessionState | null> {
  return (await database.run<LoginSessionState>(FIND, [sid]))[0] ?? null;
}
