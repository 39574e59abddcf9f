import "server-only";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { isUuid } from "#lib/core/uuid.ts";
import { removeCredential, renameCredential } from "#lib/store/credential.ts";
import { requireSession } from "../auth/current-session.ts";
import { requireApproval } from "../auth/require-approval.ts";

/**
 * Names one of the signed-in user's credentials; an empty name takes it away.
 * @throws {ApiError} 401 when nobody is signed in, 404 for an id that is none of the user's
 */
export async function nameCredential(id: string, label: string): Promise<void> {
  const { userId } = await requireSession();
  if (!isUuid(id) || !(await renameCredential(userId, id, label === "" ? null : label))) throw unknown();
}

/**
 * Removes one of the signed-in user's credentials, and ends the other sessions that it opened.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required`, 404 for an id that is none of the user's,
 *   409 for the last one
 */
export async function dropCredential(id: string): Promise<void> {
  const session = await requireSession();
  await requireApproval(session);
  const { userId, id: keptSessionId, userAgent } = session;
  const result = isUuid(id)
    ? await removeCredential({ now: now(), userId, id, keptSessionId, userAgent })
    : "unknown";
  if (result === "unknown") throw unknown();
  if (result === "last") {
    throw new ApiError("last_credential", "This is your only way to sign in: add another one first.");
  }
}

function unknown(): ApiError {
  return new ApiError("not_found", "You have no such way to sign in: it may have been removed already.");
}
