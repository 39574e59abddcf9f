import "server-only";
import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/contracts/limits.ts";
import type { Intent } from "#lib/contracts/qr-data.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { NOT_AWAITED } from "#lib/core/http/limit-counters.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { countedStatement } from "./counted-statement.ts";

/** Issuing a challenge to a browser, in flows A and C: one statement. */

/** What tells one flow's sessions from another's when a challenge is issued. */
export type IssuingFlow = {
  name: "integrator" | "fast";
  /** Older challenges of the session are deleted beyond this many; null keeps them to their own end. */
  challengesKept: number | null;
  /** True where a session that a wallet has answered gets no new challenge, and is not followed by a new one. */
  endsWhenAnswered: boolean;
};

// Not waited for until it is on disk: should the database lose its power now, the code is asked for again. Whatever
// is written after it, the delivery above all, takes it along.
const ISSUE = countedStatement<{ sid: string; keeps_secret: boolean; answered: boolean }>(
  "issue-challenge",
  `, renewed AS (
    UPDATE login_session SET status = 'pending',
      challenged_at = GREATEST($3::timestamptz, challenged_at + interval '1 millisecond')
    WHERE sid = $4::text AND flow = $10::flow AND browser_hash = $5::bytea AND status <> 'authenticated'
      AND adds_to_session IS NOT DISTINCT FROM $11::uuid AND approves_session IS NOT DISTINCT FROM $14::uuid
      AND challenged_at > $6::timestamptz AND (SELECT within FROM counted)
    RETURNING sid, challenged_at
  ), answered AS (
    SELECT sid FROM login_session
    WHERE $13::boolean AND sid = $4::text AND flow = $10::flow AND browser_hash = $5::bytea
      AND status = 'authenticated' AND redeemed_at IS NULL AND authenticated_at > $6::timestamptz
      AND adds_to_session IS NOT DISTINCT FROM $11::uuid AND approves_session IS NOT DISTINCT FROM $14::uuid
  ), browser AS (
    SELECT EXISTS (
      SELECT 1 FROM login_session WHERE browser_hash = $5::bytea AND challenged_at > $6::timestamptz
    ) AS known
  ), created AS (
    INSERT INTO login_session (sid, flow, browser_hash, created_at, challenged_at, adds_to_session, approves_session)
    SELECT $7::text, $10::flow, CASE WHEN known THEN $5::bytea ELSE $8::bytea END, $3::timestamptz, $3::timestamptz,
      $11::uuid, $14::uuid
    FROM browser, counted
    WHERE within AND NOT EXISTS (SELECT 1 FROM renewed) AND NOT EXISTS (SELECT 1 FROM answered)
    RETURNING sid, challenged_at
  ), session AS (
    SELECT * FROM renewed UNION ALL SELECT * FROM created
  ), issued AS (
    INSERT INTO challenge (text, sid, issued_at) SELECT $9::text, sid, challenged_at FROM session
  ), trimmed AS (
    DELETE FROM challenge WHERE $12::int IS NOT NULL AND sid = (SELECT sid FROM renewed) AND text NOT IN (
      SELECT text FROM challenge WHERE sid = (SELECT sid FROM renewed) ORDER BY issued_at DESC LIMIT $12::int
    )
  ), logged AS (
    INSERT INTO login_event (at, kind, sid) SELECT $3::timestamptz, 'issued', sid FROM session
  )
  SELECT count, reset_ms, COALESCE(session.sid, answered.sid) AS sid,
    known OR answered.sid IS NOT NULL AS keeps_secret, answered.sid IS NOT NULL AS answered,
    ${NOT_AWAITED}
  FROM counted CROSS JOIN browser LEFT JOIN session ON true LEFT JOIN answered ON true`,
);

/**
 * Issues a challenge: for the live session `sid` of this browser, else for a new session. The browser's secret is
 * kept while a session of its own still lives, else replaced, so that no secret is adopted that we did not make.
 * A session's challenges are never issued at one instant, so that which of them are the last is never in doubt.
 * Counts the request.
 * @param input.limit the request's; null where it has been counted
 * @param input.intent what a signed-in browser asks for instead of signing in; a session keeps to it
 * @returns the session's sid, and whether the browser keeps its present secret; `answered` when it was answered
 *   and no challenge was issued
 * @throws {ApiError} 429 when the limit is used up
 */
export async function issueChallenge(input: {
  limit: RequestLimit | null;
  now: Date;
  flow: IssuingFlow;
  challenge: string;
  sid: string | null;
  newSid: string;
  browserHash: Uint8Array<ArrayBuffer> | null;
  newBrowserHash: Uint8Array<ArrayBuffer>;
  intent: { intent: Intent; browserSessionId: string } | null;
}): Promise<{ sid: string; keepsSecret: boolean; answered: boolean }> {
  const { limit, now, flow, challenge, sid, newSid, browserHash, newBrowserHash, intent } = input;
  const liveSince = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const sessionOf = (asked: Intent) => (intent?.intent === asked ? intent.browserSessionId : null);
  const othersKept = flow.challengesKept === null ? null : flow.challengesKept - 1;
  const row = await ISSUE(limit, [
    now,
    sid,
    browserHash,
    liveSince,
    newSid,
    newBrowserHash,
    challenge,
    flow.name,
    sessionOf("add"),
    othersKept,
    flow.endsWhenAnswered,
    sessionOf("approve"),
  ]);
  return { sid: row.sid, keepsSecret: row.keeps_secret, answered: row.answered };
}
