import "server-only";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { hashSecret } from "#lib/core/random.ts";
import { isUuid } from "#lib/core/uuid.ts";
import { endBrowserSessions } from "#lib/store/browser-session.ts";
import { requireSession } from "./current-session.ts";
import type { TokenClaims } from "./session-cookie.ts";

/** Signs a browser out: its session ends, and so do its logins in progress (contract 3). */
export async function signOut(
  { userId, browserSessionId: id }: TokenClaims,
  secret: string | null,
): Promise<void> {
  const browserHash = secret === null ? null : hashSecret(secret);
  await endBrowserSessions({ now: now(), userId, id, reason: "signed_out", browserHash, endsHere: true });
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
  const ended = await endBrowserSessions({
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
