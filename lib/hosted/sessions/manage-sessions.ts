import type { Prisma } from "#generated/prisma/client.ts";
import { database, db } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { recordLoginStep } from "#lib/platform/observe/meters.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { now } from "#packages/login/process/state.ts";
import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import { DeviceInfo } from "#packages/login/protocol/messages.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "#packages/login/protocol/numbers.ts";
import { createListPage, type PageQuery, whereAfterCursor } from "../contract/page.ts";
import type { ListedSession, RefreshedSession, RefreshSession, SessionState } from "../contract/session.ts";
import type { Tenant } from "../contract/tenant.ts";
import { AUTHENTICATED_SESSION_READABLE_SECONDS } from "../numbers.ts";
import { computeChallengeExpiry, createHostedChallenge, toClientColumns } from "./create-session.ts";

/** Rows of `login_session`, joined with what the customer stored about them. */

const FIELDS = {
  sid: true,
  action: true,
  createdAt: true,
  domain: { select: { domain: true } },
  session: {
    select: {
      status: true,
      challengedAt: true,
      authenticatedAt: true,
      undoneAt: true,
      credential: true,
      deviceInfo: true,
    },
  },
} as const;

type SessionRow = Prisma.HostedSessionGetPayload<{ select: typeof FIELDS }>;

/**
 * False if the session was deleted while it was being read: Prisma reads related rows separately and returns null for
 * rows deleted in between, although Prisma's types do not show this.
 */
function isComplete({ domain, session }: SessionRow): boolean {
  return domain !== null && session !== null;
}

function toSession({ sid, action, createdAt, domain, session }: SessionRow) {
  return {
    ...session,
    id: sid,
    action: action === "register" ? ("register" as const) : ("login" as const),
    domain: domain.domain,
    createdAt,
    status: session.status === "authenticated" ? session.status : ("pending" as const),
    publicKey: session.credential,
  };
}

/** `GET /sessions`, newest first. */
export async function listSessions({ tenantId, mode }: Tenant, { limit, cursor }: PageQuery) {
  const rows = await db().hostedSession.findMany({
    where: { ownerId: tenantId, mode, ...whereAfterCursor(cursor, "sid") },
    orderBy: [{ createdAt: "desc" }, { sid: "desc" }],
    take: limit + 1,
    select: FIELDS,
  });
  const { items, nextCursor } = createListPage(
    rows.map((row) => ({ ...row, id: row.sid })),
    limit,
  );
  const sessions = items.filter(isComplete).map(toSession);
  return { sessions: sessions.map(toListedSession), next_cursor: nextCursor };
}

export function toListedSession(session: ReturnType<typeof toSession>): ListedSession {
  return {
    id: session.id,
    domain: session.domain,
    mode: session.action,
    status: session.status,
    created_at: session.createdAt.toISOString(),
    expires_at: computeChallengeExpiry(session.challengedAt).toISOString(),
    authenticated_at: session.authenticatedAt?.toISOString(),
    undone_at: session.undoneAt?.toISOString(),
  };
}

/**
 * `GET /sessions/{session_id}`: 410 after the challenge has expired or, for an authenticated session, after 24 hours.
 */
export async function readSession(tenant: Tenant, id: string): Promise<SessionState> {
  const session = await requireHostedSession(tenant, id);
  const { authenticatedAt, undoneAt, publicKey } = session;
  if (authenticatedAt !== null && publicKey !== null) {
    if (authenticatedAt <= addSeconds(now(), -AUTHENTICATED_SESSION_READABLE_SECONDS)) throw endedSession();
    return {
      id,
      status: "authenticated",
      authenticated_at: authenticatedAt.toISOString(),
      undone_at: undoneAt?.toISOString(),
      user: { public_key: publicKey, device_info: DeviceInfo.catch({}).parse(session.deviceInfo) },
    };
  }
  const expiresAt = computeChallengeExpiry(session.challengedAt);
  if (expiresAt <= now()) {
    throw refusal(
      "session_expired",
      "The session's challenge has expired. Refresh the session, or create a new one.",
    );
  }
  return { id, status: "pending", expires_at: expiresAt.toISOString() };
}

const REFRESH = svcFunction("refresh_session", [
  "tenantId",
  "tenantMode",
  "sessionSid",
  "challenge",
  "userAgent",
  "network",
  "aliveSince",
  "now",
]);

/** `POST /sessions/{session_id}/refresh`: allowed until ten minutes after the last challenge. */
export async function refreshSession(
  tenant: Tenant,
  id: string,
  { client }: RefreshSession,
  requestId: string,
): Promise<RefreshedSession> {
  const { action, domain } = await pendingSession(tenant, id);
  const { issuedAt, handedOut } = createHostedChallenge(id, action, domain);
  const { userAgent, network } = toClientColumns(client);
  const outcome = await callSqlFunction<{ refreshed: boolean }>(database(), REFRESH, {
    tenantId: tenant.tenantId,
    tenantMode: tenant.mode,
    sessionSid: id,
    challenge: handedOut.challenge,
    userAgent,
    network,
    aliveSince: addSeconds(issuedAt, -LOGIN_SESSION_IDLE_SECONDS),
    now: issuedAt,
  });
  if (outcome?.refreshed) {
    recordLoginStep({ requestId, flow: "hosted", sid: id, outcome: "issued" });
    return handedOut;
  }
  // Throws the error that matches the session's current state, because the session has changed since it was read.
  await pendingSession(tenant, id);
  throw endedSession();
}

async function pendingSession(tenant: Tenant, id: string) {
  const session = await requireHostedSession(tenant, id);
  if (session.status === "authenticated") {
    throw refusal(
      "session_already_authenticated",
      "This session is already authenticated. Read it with GET /sessions/{id}.",
    );
  }
  if (session.challengedAt <= addSeconds(now(), -LOGIN_SESSION_IDLE_SECONDS)) throw endedSession();
  return session;
}

/** @throws {Refusal} the same 404 for an unknown session and for another tenant's session */
export async function requireHostedSession({ tenantId, mode }: Tenant, sid: string) {
  const row = await db().hostedSession.findFirst({ where: { sid, ownerId: tenantId, mode }, select: FIELDS });
  if (row && isComplete(row)) return toSession(row);
  throw refusal("session_not_found", "There is no such session. Create one with POST /sessions.");
}

function endedSession(): Refusal {
  return refusal("session_expired", "This session has ended. Create a new one.");
}
