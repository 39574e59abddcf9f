import "server-only";
import { hashSecret } from "#lib/login/server/random.ts";
import type { TokenClaims } from "#lib/login/server/session-token.ts";
import { endBrowserSessions, type SessionsEnd } from "#lib/login/store/browser-session.ts";
import { now } from "#lib/platform/clock.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { loginCore } from "#lib/platform/login.ts";
import { isUuid } from "#lib/platform/uuid.ts";
import { forgetHostedLogins } from "./store/hosted-logins.ts";

/**
 * Signs a browser out: its session ends, if it has one, and so do its logins in progress
 * (docs/protocol.md#43-signing-out).
 */
export async function signOut(session: TokenClaims | null, secret: string | null): Promise<void> {
  if (!session && secret === null) return;
  const { userId = null, browserSessionId: id = null } = session ?? {};
  const browserHash = secret === null ? null : hashSecret(secret);
  await end({ now: now(), userId, id, reason: "signed_out", browserHash, endsHere: true });
}

/**
 * Revokes one session of the signed-in user, or all of them with null, at once, with the logins in progress that
 * would bring one back.
 * @param secret the secret in this browser's cookie, if any
 * @returns whether this browser was signed out by it
 * @throws {ApiError} 401 when nobody is signed in, 404 for an id that is none of the user's sessions
 */
export async function endSessions(id: string | null, secret: string | null): Promise<boolean> {
  const session = await requireSession();
  const unknown = new ApiError("session_not_found", "You have no such session: it may have ended already.");
  if (id !== null && !isUuid(id)) throw unknown;
  const endsHere = id === null || id === session.id;
  const ended = await end({
    now: now(),
    userId: session.userId,
    id,
    reason: "revoked",
    browserHash: secret === null ? null : hashSecret(secret),
    endsHere,
  });
  if (ended === 0) throw unknown;
  return endsHere;
}

/** Ends sessions, and then the demo customer's logins in progress: it keeps them in a table of its own. */
async function end(sessions: SessionsEnd): Promise<number> {
  const ended = await endBrowserSessions(loginCore().database, sessions);
  await forgetHostedLogins(sessions);
  return ended;
}
