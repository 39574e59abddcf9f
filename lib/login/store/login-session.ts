import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import { addSeconds } from "../protocol/time.ts";
import { type Database, LOGIN_CHANNEL, type Statement, statement } from "./database.ts";

/** What differs between flows when a challenge is issued to a browser. */
export type IssuingFlow = {
  name: "login" | "fast";
  /** How many challenges of a session are kept, the newest; null keeps each until it expires. */
  challengesKept: number | null;
  /** True if a session that a wallet has answered gets no new challenge, and no new session follows it. */
  endsWhenAnswered: boolean;
};

/** What a code is for, if not to sign in. `askedBy` is the browser's session, or its recovery. */
export type CodeIntent = { intent: Intent; askedBy: string };

// Not durable: after a crash the browser asks for its code again. A wallet response that follows makes it durable too.
const RENEW = statement({
  name: "renew-challenge",
  with: `renewed AS (
    UPDATE login_session AS session SET status = 'pending', user_agent = $10::text, network = $11::bytea,
      known_browser_hash = $12::bytea,
      -- A session's challenges never share an instant, so that it is always clear which are the last.
      challenged_at = GREATEST($1::timestamptz, challenged_at + interval '1 millisecond')
    FROM (SELECT status FROM login_session WHERE sid = $2::text) AS before
    WHERE sid = $2::text AND flow = $5::flow AND browser_hash = $3::bytea AND session.status <> 'authenticated'
      AND (adds_to_session, approves_session, recovers) IS NOT DISTINCT FROM ($6::uuid, $7::uuid, $8::uuid)
      AND challenged_at > $4::timestamptz
    RETURNING sid, challenged_at, CASE WHEN before.status = 'unregistered'
      THEN pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', sid)::text)::text END
  ), issued AS (
    INSERT INTO challenge (text, sid, issued_at) SELECT $9::text, sid, challenged_at FROM renewed
  ), trimmed AS (
    DELETE FROM challenge WHERE $13::int IS NOT NULL AND sid = (SELECT sid FROM renewed) AND text NOT IN (
      SELECT text FROM challenge WHERE sid = (SELECT sid FROM renewed) ORDER BY issued_at DESC LIMIT $13::int - 1
    )
  ), logged AS (
    INSERT INTO login_event (at, kind, sid) SELECT $1::timestamptz, 'issued', sid FROM renewed
  )`,
  select: `SELECT sid, true AS "keepsSecret", false AS answered FROM renewed
    UNION ALL SELECT sid, true, true FROM login_session
    WHERE $14::boolean AND sid = $2::text AND flow = $5::flow AND browser_hash = $3::bytea
      AND status = 'authenticated' AND redeemed_at IS NULL AND authenticated_at > $4::timestamptz
      AND (adds_to_session, approves_session, recovers) IS NOT DISTINCT FROM ($6::uuid, $7::uuid, $8::uuid)`,
  durable: false,
});

const START = statement({
  name: "start-login-session",
  with: `created AS (
    INSERT INTO login_session
      (sid, flow, browser_hash, created_at, challenged_at, adds_to_session, approves_session, recovers,
        user_agent, network, known_browser_hash)
    VALUES ($2::text, $5::flow, CASE
        -- A secret is kept while a session of its own lives: none is adopted that the server did not make.
        WHEN EXISTS (SELECT 1 FROM login_session WHERE browser_hash = $3::bytea AND challenged_at > $4::timestamptz)
        THEN $3::bytea ELSE $13::bytea
      END, $1::timestamptz, $1::timestamptz, $6::uuid, $7::uuid, $8::uuid,
      $10::text, $11::bytea, $12::bytea)
    RETURNING sid, browser_hash
  ), issued AS (
    INSERT INTO challenge (text, sid, issued_at) VALUES ($9::text, $2::text, $1::timestamptz)
  ), logged AS (
    INSERT INTO login_event (at, kind, sid) VALUES ($1::timestamptz, 'issued', $2::text)
  )`,
  select: `SELECT sid, browser_hash IS NOT DISTINCT FROM $3::bytea AS "keepsSecret", false AS answered FROM created`,
  durable: false,
});

/** What is kept of the browser that asks for a code, so that its user can recognise it. */
export type AskingBrowser = {
  userAgent: string | null;
  /** Tells its network from another, but not where it is (`networkTag`); null if its address is not known. */
  network: Uint8Array | null;
  /** SHA-256 of the word by which accounts know it again; null if it has none. */
  knownBrowserHash: Uint8Array | null;
};

type IssuedChallenge = { sid: string; keepsSecret: boolean; answered: boolean };

/**
 * Issues a challenge for the live session `sid` of this browser, else for a new session. The browser's secret is kept
 * while a session of its own lives, else replaced.
 * @param input.intent what the code is for, if not to sign in; it never changes within a session
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
    browser: AskingBrowser;
  },
): Promise<IssuedChallenge> {
  const { now, flow, sid, browserHash, intent } = input;
  const { userAgent, network, knownBrowserHash } = input.browser;
  const askerFor = (asked: Intent) => (intent?.intent === asked ? intent.askedBy : null);
  const askers = [askerFor("add"), askerFor("approve"), askerFor("recover")];
  const aliveSince = addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const issue = async (asked: Statement, sid: string, own: unknown[]) => {
    const described = [userAgent, network, knownBrowserHash];
    const values = [
      now,
      sid,
      browserHash,
      aliveSince,
      flow.name,
      ...askers,
      input.challenge,
      ...described,
      ...own,
    ];
    return (await database.run<IssuedChallenge>(asked, values))[0];
  };
  const renewed =
    sid && browserHash && (await issue(RENEW, sid, [flow.challengesKept, flow.endsWhenAnswered]));
  const issued = renewed || (await issue(START, input.newSid, [input.newBrowserHash]));
  if (!issued) throw new Error("no row of start-login-session");
  return issued;
}

/** What the status of a login session is read from. */
export type LoginSessionState = {
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
  /** It was taken back. */
  isUndone: boolean;
};

const FIND = statement({
  name: "find-login-session",
  select: `SELECT status, user_id AS "userId", challenged_at AS "challengedAt", browser_hash AS "browserHash",
      undone_at IS NOT NULL AS "isUndone"
    FROM login_session WHERE sid = $1::text AND flow = 'login'`,
  durable: false,
});

/** The state of a login session; null for a sid that the server did not make, or has deleted. */
export async function findLoginSession(database: Database, sid: string): Promise<LoginSessionState | null> {
  return (await database.run<LoginSessionState>(FIND, [sid]))[0] ?? null;
}
