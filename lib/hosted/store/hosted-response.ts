import type { Action } from "#lib/login/protocol/challenge.ts";
import type { DeviceInfo } from "#lib/login/protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import type { FoundChallenge } from "#lib/login/store/accept-response.ts";
import { type Database, LOGIN_CHANNEL, startedInTime, statement } from "#lib/login/store/database.ts";
import { toAction } from "./hosted-session.ts";
import { WAKE_TENANT_SQL } from "./webhook-event.ts";

/** A challenge of the hosted API as a wallet response finds it, with where its event goes. */
export type FoundHostedChallenge = FoundChallenge & { action: Action; domainId: string; webhookUrl: string };

const FIND = statement({
  name: "find-hosted-challenge",
  select: `SELECT challenge.sid, challenge.issued_at AS "issuedAt",
      challenge.spent_at IS NOT NULL OR session.status = 'authenticated' AS used, hosted.action,
      domain.id AS "domainId", COALESCE(hosted.webhook_url, domain.webhook_url) AS "webhookUrl"
    FROM challenge
      JOIN login_session AS session USING (sid)
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id
    WHERE challenge.text = $1::text AND challenge.sid = $2::text`,
  durable: true,
});

/** Finds a challenge by its exact text among those of one session. */
export async function findHostedChallenge(
  database: Database,
  text: string,
  sid: string,
): Promise<FoundHostedChallenge | null> {
  const [row] = await database.run<FoundHostedChallenge & { action: string }>(FIND, [text, sid]);
  return row ? { ...row, action: toAction(row.action) } : null;
}

const SPEND = statement({
  name: "spend-hosted-challenge",
  with: `target AS (
    SELECT challenge.text, session.sid, domain.owner_id
    FROM challenge
      JOIN login_session AS session USING (sid)
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id
    WHERE challenge.text = $2::text AND challenge.spent_at IS NULL AND domain.id = $8::text
      AND challenge.issued_at > $3::timestamptz AND session.status <> 'authenticated' AND ${startedInTime("$1")}
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
  )`,
  select: `SELECT sid, pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', sid)::text)::text,
      ${WAKE_TENANT_SQL}
    FROM authenticated AS domain`,
  durable: true,
});

/**
 * Spends a challenge, authenticates its session, and writes the outgoing event with the job that sends it: one
 * statement, so that exactly one response succeeds and no login that a wallet was told of is without its event.
 * @returns false when the challenge was spent or too old, or its session authenticated or gone, by then
 */
export async function spendHostedChallenge(
  database: Database,
  input: {
    now: Date;
    challenge: string;
    publicKey: string;
    signedAt: number;
    deviceInfo: DeviceInfo | undefined;
    event: { id: string; kind: Action; domainId: string; url: string; body: string };
  },
): Promise<boolean> {
  const { now, challenge, publicKey, signedAt, event } = input;
  const issuedSince = addSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  const deviceInfo = input.deviceInfo ? JSON.stringify(input.deviceInfo) : null;
  const rows = await database.run(SPEND, [
    ...[now, challenge, issuedSince, publicKey, signedAt, deviceInfo],
    ...[event.id, event.domainId, event.kind, event.url, event.body],
  ]);
  return rows.length === 1;
}
