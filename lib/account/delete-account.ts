import "server-only";
import { now } from "#lib/platform/clock.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { log } from "#lib/platform/log.ts";
import { requireApproval } from "./require-approval.ts";
import { endAccount, forgetSome } from "./store/delete-user.ts";

/**
 * Deletes the signed-in user with everything kept about them, API keys too; nobody gets it back. Domains at the hosted
 * API belong to sites that are running: their owner deletes them first, so that none stops by surprise.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required`, 409 `domains_registered`
 */
export async function deleteAccount(): Promise<void> {
  const session = await requireSession();
  await requireApproval(session);
  const { userId } = session;
  const outcome = await endAccount(userId, now());
  if (outcome === "gone") return;
  if (outcome === "domains") {
    throw new ApiError(
      "domains_registered",
      "Nothing was deleted: you have domains registered at the hosted API. Delete them in the console first.",
    );
  }
  // Of most accounts this is all there is. The job finds the rest, and what fails here.
  await forgetSome(userId).catch((error) => log().warn({ error }, "the history of an ended account is left"));
}
