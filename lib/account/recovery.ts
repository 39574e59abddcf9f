import "server-only";
import { now } from "#lib/platform/clock.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { Call } from "#lib/platform/http/call.ts";
import { limitOfClient, requestLimit } from "#lib/platform/http/rate-limit.ts";
import { loginCore } from "#lib/platform/login.ts";
import { cancelRecoveries } from "#lib/recovery/store/recovery.ts";

/** What a request does with codes and recoveries here (docs/protocol.md#10-recovery). */

/**
 * Counts a try of a recovery code: by the client's address first, so that nobody who is over their own limit uses up
 * what all clients share.
 * @throws {ApiError} 429
 */
export async function countCodeTry(
  name: "recovery" | "recovery-check",
  { request, carry }: Pick<Call, "request" | "carry">,
): Promise<void> {
  const own = limitOfClient(name, request);
  carry(own);
  await own.take();
  await requestLimit(`${name}-in-all`, "everybody").take();
}

/**
 * Cancels the recovery of the signed-in user. Needs no approval: whoever lost their keys has none to give, and the
 * owner must not have to look for a wallet to stop a thief.
 * @throws {ApiError} 401 when nobody is signed in, 404 when there is none
 */
export async function cancelRecovery(): Promise<void> {
  const { id: sessionId, userId, userAgent } = await requireSession();
  const { database } = loginCore();
  if (!(await cancelRecoveries(database, { now: now(), userId, sessionId, userAgent }))) {
    throw new ApiError("not_found", "There is no recovery to cancel: it was cancelled, or has taken effect.");
  }
}
