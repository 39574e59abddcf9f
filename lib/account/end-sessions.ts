import "server-only";
import { requireSession } from "#lib/platform/current-session.ts";
import { endBrowserSessions } from "#lib/login/store/browser-session.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { isUuid } from "#lib/platform/uuid.ts";

/**
 * Ends one session of the signed-in user, or all of them with null, at once.
 * @throws {ApiError} 401 when nobody is signed in, 404 for an id that is none of the user's sessions
 */
export async function endSessions(id: string | null): Promise<void> {
  const session = await requireSession();
  const unknown = new ApiError("session_not_found", "You have no such session: it may have ended already.");
  if (id !== null && !isUuid(id)) throw unknown;
  const ended = await endBrowserSessions({ now: now(), userId: session.userId, id, reason: "revoked" });
  if (ended === 0) throw unknown;
}
