import { DeviceInfo } from "#lib/login/protocol/messages.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { type PageQuery, pageOf } from "../contract/page.ts";
import type { SessionState } from "../contract/session.ts";
import type { Tenant } from "../contract/tenant.ts";
import { AUTHENTICATED_READABLE_SECONDS } from "../numbers.ts";
import { findHostedSession, type HostedSessionRow, listHostedSessions } from "../store/hosted-session.ts";
import { expiryOf } from "./issue-challenge.ts";

/**
 * `GET /sessions/{session_id}` (docs/protocol.md#52-sessions).
 * @throws {ApiError} 404 `session_not_found`; 410 `session_expired` once a pending session's challenge has
 *   expired, or an authenticated session's 24 hours are over
 */
export async function readSession(tenant: Tenant, id: string): Promise<SessionState> {
  const session = await ownSession(tenant, id);
  const { authenticatedAt, publicKey } = session;
  if (authenticatedAt !== null && publicKey !== null) {
    if (authenticatedAt <= addSeconds(now(), -AUTHENTICATED_READABLE_SECONDS)) throw expired(false);
    return {
      id,
      status: "authenticated",
      authenticated_at: authenticatedAt.toISOString(),
      user: { public_key: publicKey, device_info: DeviceInfo.catch({}).parse(session.deviceInfo) },
    };
  }
  const expiresAt = expiryOf(session.challengedAt);
  if (expiresAt <= now()) throw expired(true);
  return { id, status: "pending", expires_at: expiresAt.toISOString() };
}

/** `GET /sessions`: the tenant's sessions, newest first. */
export async function listSessions(tenant: Tenant, { limit, cursor }: PageQuery) {
  const rows = await listHostedSessions(tenant, { limit: limit + 1, cursor });
  const { items, nextCursor } = pageOf(rows, limit);
  return {
    sessions: items.map((session) => ({
      id: session.id,
      domain: session.domain,
      mode: session.action,
      status: session.status,
      created_at: session.createdAt.toISOString(),
      expires_at: expiryOf(session.challengedAt).toISOString(),
      authenticated_at: session.authenticatedAt?.toISOString(),
    })),
    next_cursor: nextCursor,
  };
}

/**
 * A session of the tenant's.
 * @throws {ApiError} 404 when it is unknown, another tenant's or of the other mode: which, is not told
 */
export async function ownSession(tenant: Tenant, id: string): Promise<HostedSessionRow> {
  const session = await findHostedSession(tenant, id);
  if (!session)
    throw new ApiError("session_not_found", "There is no such session. Create one with POST /sessions.");
  return session;
}

/** The 410 of a session that has ended, or can still be refreshed. */
export function expired(refreshable: boolean): ApiError {
  return new ApiError(
    "session_expired",
    refreshable
      ? "The session's challenge has expired. Refresh the session, or create a new one."
      : "This session has ended. Create a new one.",
  );
}
