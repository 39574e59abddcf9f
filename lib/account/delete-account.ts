import "server-only";
import { now } from "#lib/platform/clock.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { requireApproval } from "./require-approval.ts";
import { deleteUser } from "./store/account.ts";

/**
 * Deletes the signed-in user with everything kept about them, API keys too; nobody gets it back. Domains at the hosted
 * API belong to sites that are running: their owner deletes them first, so that none stops by surprise.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required`, 409 `domains_registered`
 */
export async function deleteAccount(): Promise<void> {
  const session = await requireSession();
  await requireApproval(session);
  if (await deleteUser(session.userId, now())) return;
  throw new ApiError(
    "domains_registered",
    "Nothing was deleted: you have domains registered at the hosted API. Delete them in the console first.",
  );
}
