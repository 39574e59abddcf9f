import { approvedSince } from "#lib/login/store/browser-session.ts";
import { startedInTime } from "#lib/login/store/database.ts";

/**
 * The common table expression `asking` (`id`, `user_id`): the browser session in whose name a change is asked for.
 * Empty once the session has ended, or its approval is too old. The row stays locked until the change is made, so
 * whoever ends the session either waits for the change or was first, and then nothing is changed.
 * @param now the placeholder of the request's time
 * @param sessionId the placeholder of the session's id
 * @param needsApproval false for what the session alone may do; an SQL expression where the statement decides
 */
export function askingSession(
  now: string,
  sessionId: string,
  needsApproval: boolean | string = true,
): string {
  return `asking AS (
    SELECT id, user_id FROM browser_session
    WHERE id = ${sessionId}::uuid AND expires_at > ${now}::timestamptz AND ${startedInTime(now)}
      AND (NOT ${needsApproval} OR ${approvedSince("browser_session", now)})
    FOR KEY SHARE
  )`;
}
