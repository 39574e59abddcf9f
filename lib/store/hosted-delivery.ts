import "server-only";
import type { Action } from "#lib/contracts/challenge.ts";
import type { DeviceInfo } from "#lib/contracts/delivery.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { runPrepared } from "#lib/core/db.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { begunInTime } from "./begun-in-time.ts";
import type { FoundChallenge } from "./challenge-delivery.ts";
import { countedStatement } from "./counted-statement.ts";
import { toAction } from "./hosted-session.ts";
import { LOGIN_CHANNEL } from "./login-notices.ts";
import { WAKE_OWNER_SQL } from "./webhook-event.ts";

/** Deliveries of signed challenges to sessions of the hosted API. */

/** A challenge of the hosted API as a delivery finds it, with where its event goes. */
export type FoundHostedChallenge = FoundChallenge & { action: Action; domainId: string; webhookUrl: string };

const FIND = countedStatement<{
  issued_at: Date | null;
  used: boolean;
  action: string;
  domain_id: string;
  webhook_url: string;
}>(
  "find-hosted-challenge",
  ` SELECT count, reset_ms, challenge.issued_at,
    challenge.spent_at IS NOT NULL OR session.status = 'authenticated' AS used, hosted.action,
    domain.id AS domain_id, COALESCE(hosted.webhook_url, domain.webhook_url) AS webhook_url
  FROM counted LEFT JOIN (
    challenge
      JOIN login_session AS session USING (sid)
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id
  ) ON within AND challenge.text = $3::text AND challenge.sid = $4::text`,
);

/**
 * Finds a challenge by its exact text among those of one session. Counts the request.
 * @throws {ApiError} 429 when the limit is used up
 */
export async function findHostedChallenge(
  text: string,
  sid: string,
  limit: RequestLimit | null,
): Promise<FoundHostedChallenge | null> {
  const row = await FIND(limit, [text, sid]);
  if (row.issued_at === null) return null;
  const { issued_at: issuedAt, used, domain_id: domainId, webhook_url: webhookUrl } = row;
  return { sid, issuedAt, used, action: toAction(row.action), domainId, webhookUrl };
}

const SPEND = {
  name: "spend-hosted-challenge",
  text: `WITH target AS (
    SELECT challenge.text, session.sid, domain.owner_id
    FROM challenge
      JOIN login_session AS session USING (sid)
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id
    WHERE challenge.text = $2::text AND challenge.spent_at IS NULL AND domain.id = $8::text
      AND challenge.issued_at > $3::timestamptz AND session.status <> 'authenticated'
      AND ${begunInTime("$1")}
    FOR UPDATE OF challenge, session FOR KEY SHARE OF domain
  ), spent AS (
    UPDATE challenge SET spent_at = $1::timestamptz FROM target WHERE challenge.text = target.text
  ), authenticated AS (
    UPDATE login_session AS session
    SET status = 'authenticated', authenticated_at = $1::timestamptz, credential = $4::text,
      signed_at = $5::bigint, device_info = $6::jsonb
    FROM target WHERE session.sid = target.sid
    RETURNING session.sid, target.owner_id
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, credential, device_info)
    SELECT $1::timestamptz, 'delivered', sid, $4::text, $6::jsonb FROM authenticated
  ), event AS (
    INSERT INTO webhook_event (id, domain_id, sid, kind, url, body, created_at, next_attempt_at)
    SELECT $7::text, $8::text, sid, $9::text, $10::text, $11::text, $1::timestamptz, $1::timestamptz
    FROM authenticated
  )
  SELECT sid, pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', sid)::text)::text,
    ${WAKE_OWNER_SQL}
  FROM authenticated AS domain`,
};

/**
 * Spends a challenge, authenticates its session, and writes the outgoing event with the job that sends it: one
 * statement, so that exactly one delivery succeeds and no login that a wallet was told of is without its event
 * (contract 5).
 * @returns false when the challenge was spent or too old, or its session authenticated or gone, by then
 */
export async function spendHostedChallenge(input: {
  now: Date;
  challenge: string;
  publicKey: string;
  signedAt: number;
  deviceInfo: DeviceInfo | undefined;
  event: { id: string; kind: Action; domainId: string; url: string; body: string };
}): Promise<boolean> {
  const { now, challenge, publicKey, signedAt, event } = input;
  const issuedSince = plusSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  const deviceInfo = input.deviceInfo ? JSON.stringify(input.deviceInfo) : null;
  const rows = await runPrepared<{ sid: string }>(SPEND, [
    ...[now, challenge, issuedSince, publicKey, signedAt, deviceInfo],
    ...[event.id, event.domainId, event.kind, event.url, event.body],
  ]);
  return rows.length === 1;
}
