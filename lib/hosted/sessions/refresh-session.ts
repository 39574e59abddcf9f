import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/login/protocol/numbers.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { recordLoginStep } from "#lib/platform/observe/meters.ts";
import type { RefreshedSession } from "../contract/session.ts";
import type { Tenant } from "../contract/tenant.ts";
import { renewHostedSession } from "../store/hosted-session.ts";
import { newHostedChallenge } from "./issue-challenge.ts";
import { expired, ownSession } from "./read-session.ts";

/**
 * `POST /sessions/{session_id}/refresh`: a new challenge for a pending session, until ten minutes after its last
 * (docs/protocol.md#52-sessions).
 * @throws {ApiError} 404 `session_not_found`, 409 `session_already_authenticated`, 410 `session_expired`
 */
export async function refreshSession(
  tenant: Tenant,
  id: string,
  requestId: string,
): Promise<RefreshedSession> {
  const { action, domain } = await pendingSession(tenant, id);
  const { issuedAt, handedOut } = newHostedChallenge(id, action, domain);
  const { challenge } = handedOut;
  if (await renewHostedSession({ now: issuedAt, tenant, sid: id, challenge })) {
    recordLoginStep({ requestId, flow: "hosted", sid: id, outcome: "issued" });
    return handedOut;
  }
  // It changed since it was looked at: say what it is now.
  await pendingSession(tenant, id);
  throw expired(false);
}

async function pendingSession(tenant: Tenant, id: string) {
  const session = await ownSession(tenant, id);
  if (session.status === "authenticated") {
    throw new ApiError(
      "session_already_authenticated",
      "This session is already authenticated. Read it with GET /sessions/{id}.",
    );
  }
  if (session.challengedAt <= addSeconds(now(), -LOGIN_SESSION_IDLE_SECONDS)) throw expired(false);
  return session;
}
