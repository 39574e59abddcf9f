import type { Action } from "#lib/login/protocol/challenge.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/login/protocol/numbers.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { db, runPrepared } from "#lib/platform/database/db.ts";
import type { Cursor } from "../contract/page.ts";
import type { Tenant } from "../contract/tenant.ts";

/**
 * The queries on sessions of the hosted API: rows of `login_session`, joined with what the customer stored about
 * them. Each decision is one statement, as at the site's own endpoints.
 */

/** A tenant's domain as a new session needs it. */
export type SessionDomain = { id: string; webhookUrl: string; verified: boolean };

const FIND_DOMAIN = {
  name: "find-session-domain",
  text: `SELECT id, webhook_url, verified_at IS NOT NULL AS verified FROM domain
    WHERE owner_id = $1::uuid AND mode = $2::api_mode AND domain = $3::text`,
};

/** A tenant's domain by its hostname, or null. */
export async function findSessionDomain(
  { tenantId, mode }: Tenant,
  domain: string,
): Promise<SessionDomain | null> {
  type Row = { id: string; webhook_url: string; verified: boolean };
  const [row] = await runPrepared<Row>(FIND_DOMAIN, [tenantId, mode, domain]);
  return row ? { id: row.id, webhookUrl: row.webhook_url, verified: row.verified } : null;
}

const CREATE = {
  name: "create-hosted-session",
  text: `WITH domain AS (
    SELECT id FROM domain WHERE id = $4::text AND owner_id = $2::uuid FOR KEY SHARE
  ), claimed AS (
    INSERT INTO idempotent_answer (owner_id, mode, key, request_hash, status, body, created_at)
    SELECT $2::uuid, $3::api_mode, $11::text, $12::bytea, 201, $13::jsonb, $1::timestamptz
    FROM domain WHERE $11::text IS NOT NULL
    ON CONFLICT (owner_id, mode, key) DO UPDATE
      SET request_hash = EXCLUDED.request_hash, status = EXCLUDED.status, body = EXCLUDED.body,
        created_at = EXCLUDED.created_at
      WHERE idempotent_answer.created_at <= $14::timestamptz
    RETURNING key
  ), session AS (
    INSERT INTO login_session (sid, flow, created_at, challenged_at)
    SELECT $5::text, 'hosted', $1::timestamptz, $1::timestamptz FROM domain
    WHERE $11::text IS NULL OR EXISTS (SELECT 1 FROM claimed)
    RETURNING sid
  ), hosted AS (
    INSERT INTO hosted_session
      (sid, owner_id, mode, domain_id, action, webhook_url, return_url, custom_data, created_at)
    SELECT sid, $2::uuid, $3::api_mode, $4::text, $6::text, $8::text, $9::text, $10::text, $1::timestamptz
    FROM session
  ), issued AS (
    INSERT INTO challenge (text, sid, issued_at) SELECT $7::text, sid, $1::timestamptz FROM session
  ), logged AS (
    INSERT INTO login_event (at, kind, sid) SELECT $1::timestamptz, 'issued', sid FROM session
  )
  SELECT sid FROM session`,
};

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
  /** The key, the request's hash, its answer, and since when an earlier claim still counts. */
  claim: { key: string; requestHash: Uint8Array<ArrayBuffer>; answer: object; liveSince: Date } | null;
}): Promise<boolean> {
  const { now, tenant, domainId, sid, action, challenge, webhookUrl, returnUrl, customData, claim } = input;
  const session = [now, tenant.tenantId, tenant.mode, domainId, sid, action, challenge];
  const extras = [webhookUrl, returnUrl, customData];
  const claimed = claim
    ? [claim.key, claim.requestHash, JSON.stringify(claim.answer), claim.liveSince]
    : [null, null, null, null];
  const rows = await runPrepared<{ sid: string }>(CREATE, [...session, ...extras, ...claimed]);
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

/** A tenant's session, or null: unknown, another tenant's, or of the other mode. */
export async function findHostedSession(
  { tenantId, mode }: Tenant,
  sid: string,
): Promise<HostedSessionRow | null> {
  const row = await db().hostedSession.findFirst({
    where: { sid, ownerId: tenantId, mode },
    select: SESSION,
  });
  return row && toRow(row);
}

/** A tenant's sessions, newest first, from after `cursor`. */
export async function listHostedSessions(
  { tenantId, mode }: Tenant,
  { limit, cursor }: { limit: number; cursor: Cursor | undefined },
): Promise<HostedSessionRow[]> {
  const after = cursor && {
    OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, sid: { lt: cursor.id } }],
  };
  const rows = await db().hostedSession.findMany({
    where: { ownerId: tenantId, mode, ...after },
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

/** The action that a row holds. */
export function toAction(text: string): Action {
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
      WHERE session.sid = ${sid} AND hosted.sid = session.sid AND hosted.owner_id = ${tenant.tenantId}::uuid
        AND hosted.mode = ${tenant.mode}::api_mode AND session.status = 'pending'
        AND session.challenged_at > ${addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS)}::timestamptz
      RETURNING session.sid
    ), issued AS (
      INSERT INTO challenge (text, sid, issued_at) SELECT ${challenge}, sid, ${now}::timestamptz FROM renewed
    ), logged AS (
      INSERT INTO login_event (at, kind, sid) SELECT ${now}::timestamptz, 'issued', sid FROM renewed
    )
    SELECT sid FROM renewed`;
  return rows.length === 1;
}

/** The answer that an idempotency key was given since `liveSince`, or null; the session's statement writes it. */
export async function findIdempotentAnswer(
  { tenantId, mode }: Tenant,
  key: string,
  liveSince: Date,
): Promise<{ requestHash: Uint8Array; body: unknown } | null> {
  return db().idempotentAnswer.findFirst({
    where: { ownerId: tenantId, mode, key, createdAt: { gt: liveSince } },
    select: { requestHash: true, body: true },
  });
}
