import "server-only";
import type { Action } from "#lib/contracts/challenge.ts";
import type { DeviceInfo } from "#lib/contracts/delivery.ts";
import type { Cursor } from "#lib/contracts/hosted/page.ts";
import type { Tenant } from "#lib/contracts/hosted/tenant.ts";
import { CHALLENGE_LIFETIME_SECONDS, LOGIN_SESSION_IDLE_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";
import { type FoundChallenge, LOGIN_CHANNEL } from "./login-session.ts";

/**
 * The queries on sessions of the hosted API: rows of `login_session` with what an integrator said of them beside.
 * As in flow A, what decides is one statement each.
 */

/**
 * Creates a session with its challenge and, where the request named an idempotency key, claims that key for the
 * answer: one statement, so that of any number of requests with one key exactly one makes a session.
 * @returns false when the key was claimed by then, or the domain is gone
 */
export async function createHostedSession(input: {
  now: Date;
  tenant: Tenant;
  domainId: string;
  sid: string;
  action: Action;
  challenge: string;
  webhookUrl: string | null;
  returnUrl: string | null;
  customData: string | null;
  /** The key, what the request was, the answer it is to get, and since when a claim still counts. */
  claim: { key: string; requestHash: Uint8Array<ArrayBuffer>; answer: object; liveSince: Date } | null;
}): Promise<boolean> {
  const { now, tenant, domainId, sid, action, challenge, webhookUrl, returnUrl, customData, claim } = input;
  const answer = claim ? JSON.stringify(claim.answer) : null;
  const rows = await db().$queryRaw<{ sid: string }[]>`
    WITH domain AS (
      SELECT id FROM domain WHERE id = ${domainId} AND owner_id = ${tenant.ownerId}::uuid FOR KEY SHARE
    ), claimed AS (
      INSERT INTO idempotent_answer (owner_id, mode, key, request_hash, status, body, created_at)
      SELECT ${tenant.ownerId}::uuid, ${tenant.mode}::api_mode, ${claim?.key ?? null}, ${claim?.requestHash ?? null}::bytea,
        201, ${answer}::jsonb, ${now}::timestamptz
      FROM domain WHERE ${claim !== null}
      ON CONFLICT (owner_id, mode, key) DO UPDATE
        SET request_hash = EXCLUDED.request_hash, status = EXCLUDED.status, body = EXCLUDED.body, created_at = EXCLUDED.created_at
        WHERE idempotent_answer.created_at <= ${claim?.liveSince ?? now}::timestamptz
      RETURNING key
    ), session AS (
      INSERT INTO login_session (sid, flow, created_at, challenged_at)
      SELECT ${sid}, 'hosted', ${now}::timestamptz, ${now}::timestamptz FROM domain
      WHERE ${claim === null} OR EXISTS (SELECT 1 FROM claimed)
      RETURNING sid
    ), hosted AS (
      INSERT INTO hosted_session
        (sid, owner_id, mode, domain_id, action, webhook_url, return_url, custom_data, created_at)
      SELECT sid, ${tenant.ownerId}::uuid, ${tenant.mode}::api_mode, ${domainId}, ${action}, ${webhookUrl}, ${returnUrl},
        ${customData}, ${now}::timestamptz
      FROM session
    ), issued AS (
      INSERT INTO challenge (text, sid, issued_at) SELECT ${challenge}, sid, ${now}::timestamptz FROM session
    ), logged AS (
      INSERT INTO login_event (at, kind, sid) SELECT ${now}::timestamptz, 'issued', sid FROM session
    )
    SELECT sid FROM session`;
  return rows.length === 1;
}

/** A session of the hosted API as its tenant sees it. */
export type HostedSessionRow = {
  id: string;
  action: Action;
  domain: string;
  status: "pending" | "authenticated";
  createdAt: Date;
  challengedAt: Date;
  authenticatedAt: Date | null;
  publicKey: string | null;
  deviceInfo: unknown;
};

const SESSION = {
  sid: true,
  action: true,
  createdAt: true,
  domain: { select: { domain: true } },
  session: {
    select: {
      status: true,
      challengedAt: true,
      authenticatedAt: true,
      credential: true,
      deviceInfo: true,
    },
  },
} as const;

/** A tenant's session, or null: unknown, another owner's, or of the other mode. */
export async function findHostedSession(
  { ownerId, mode }: Tenant,
  sid: string,
): Promise<HostedSessionRow | null> {
  const row = await db().hostedSession.findUnique({ where: { sid, ownerId, mode }, select: SESSION });
  return row && toRow(row);
}

/** A tenant's sessions, newest first, from after `cursor`. */
export async function listHostedSessions(
  { ownerId, mode }: Tenant,
  { limit, cursor }: { limit: number; cursor: Cursor | undefined },
): Promise<HostedSessionRow[]> {
  const after = cursor && {
    OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, sid: { lt: cursor.id } }],
  };
  const rows = await db().hostedSession.findMany({
    where: { ownerId, mode, ...after },
    orderBy: [{ createdAt: "desc" }, { sid: "desc" }],
    take: limit,
    select: SESSION,
  });
  return rows.map(toRow);
}

function toRow(row: {
  sid: string;
  action: string;
  createdAt: Date;
  domain: { domain: string };
  session: {
    status: string;
    challengedAt: Date;
    authenticatedAt: Date | null;
    credential: string | null;
    deviceInfo: unknown;
  };
}): HostedSessionRow {
  const { status, credential, ...session } = row.session;
  return {
    id: row.sid,
    action: toAction(row.action),
    domain: row.domain.domain,
    createdAt: row.createdAt,
    ...session,
    status: status === "authenticated" ? "authenticated" : "pending",
    publicKey: credential,
  };
}

function toAction(text: string): Action {
  return text === "register" ? "register" : "login";
}

/**
 * Issues a new challenge for a tenant's pending session; the one before stays valid until its own end.
 * @returns false when the session was authenticated, ended or gone by then
 */
export async function renewHostedSession(input: {
  now: Date;
  tenant: Tenant;
  sid: string;
  challenge: string;
}): Promise<boolean> {
  const { now, tenant, sid, challenge } = input;
  const rows = await db().$queryRaw<{ sid: string }[]>`
    WITH renewed AS (
      UPDATE login_session AS session SET challenged_at = ${now}::timestamptz
      FROM hosted_session AS hosted
      WHERE session.sid = ${sid} AND hosted.sid = session.sid AND hosted.owner_id = ${tenant.ownerId}::uuid
        AND hosted.mode = ${tenant.mode}::api_mode AND session.status = 'pending'
        AND session.challenged_at > ${plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz
      RETURNING session.sid
    ), issued AS (
      INSERT INTO challenge (text, sid, issued_at) SELECT ${challenge}, sid, ${now}::timestamptz FROM renewed
    ), logged AS (
      INSERT INTO login_event (at, kind, sid) SELECT ${now}::timestamptz, 'issued', sid FROM renewed
    )
    SELECT sid FROM renewed`;
  return rows.length === 1;
}

/** A challenge of the hosted API as a delivery finds it, with where its event goes. */
export type FoundHostedChallenge = FoundChallenge & { action: Action; domainId: string; webhookUrl: string };

/** Finds a challenge by its exact text among those of one session. */
export async function findHostedChallenge(text: string, sid: string): Promise<FoundHostedChallenge | null> {
  const rows = await db().$queryRaw<
    { issued_at: Date; used: boolean; action: string; domain_id: string; webhook_url: string }[]
  >`
    SELECT challenge.issued_at, challenge.spent_at IS NOT NULL OR session.status = 'authenticated' AS used,
      hosted.action, domain.id AS domain_id, COALESCE(hosted.webhook_url, domain.webhook_url) AS webhook_url
    FROM challenge
      JOIN login_session AS session USING (sid)
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id
    WHERE challenge.text = ${text} AND challenge.sid = ${sid}`;
  const row = rows[0];
  if (!row) return null;
  const { issued_at: issuedAt, used, domain_id: domainId, webhook_url: webhookUrl } = row;
  return { sid, issuedAt, used, action: toAction(row.action), domainId, webhookUrl };
}

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
  const deviceInfo = input.deviceInfo ? JSON.stringify(input.deviceInfo) : null;
  const rows = await db().$queryRaw<{ sid: string }[]>`
    WITH target AS (
      SELECT challenge.text, session.sid
      FROM challenge
        JOIN login_session AS session USING (sid)
        JOIN hosted_session AS hosted USING (sid)
        JOIN domain ON domain.id = hosted.domain_id
      WHERE challenge.text = ${challenge} AND challenge.spent_at IS NULL AND domain.id = ${event.domainId}
        AND challenge.issued_at > ${plusSeconds(now, -CHALLENGE_LIFETIME_SECONDS)}::timestamptz
        AND session.status <> 'authenticated'
      FOR UPDATE OF challenge, session FOR KEY SHARE OF domain
    ), spent AS (
      UPDATE challenge SET spent_at = ${now}::timestamptz FROM target WHERE challenge.text = target.text
    ), authenticated AS (
      UPDATE login_session AS session
      SET status = 'authenticated', authenticated_at = ${now}::timestamptz, credential = ${publicKey},
        signed_at = ${signedAt}::bigint, device_info = ${deviceInfo}::jsonb
      FROM target WHERE session.sid = target.sid
      RETURNING session.sid
    ), logged AS (
      INSERT INTO login_event (at, kind, sid, credential, device_info)
      SELECT ${now}::timestamptz, 'delivered', sid, ${publicKey}, ${deviceInfo}::jsonb FROM authenticated
    ), event AS (
      INSERT INTO webhook_event (id, domain_id, sid, kind, url, body, created_at, next_attempt_at)
      SELECT ${event.id}, ${event.domainId}, sid, ${event.kind}, ${event.url}, ${event.body}, ${now}::timestamptz, ${now}::timestamptz
      FROM authenticated
    )
    SELECT sid, pg_notify(${LOGIN_CHANNEL}, json_build_object('sid', sid)::text)::text,
      (graphile_worker.add_job('deliver_event', json_build_object('eventId', ${event.id}::text))).id::text
    FROM authenticated`;
  return rows.length === 1;
}
