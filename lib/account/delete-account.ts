import { listCredentials } from "#lib/login/account/store/credential.ts";
import { ApiError } from "#lib/login/http/api-error.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { log } from "#lib/platform/log.ts";
import { loginCore, requireApproval } from "./login.ts";
import { endAccount, forgetSome } from "./store/delete-user.ts";

/**
 * Deletes the signed-in user with everything kept about them, API keys too; nobody gets it back. Domains at the hosted
 * API belong to sites that are running: their owner deletes them first, so that none stops by surprise.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required`, 409 `domains_registered`
 */
export async function deleteAccount(request: { headers: SentHeaders }): Promise<void> {
  const asker = await requireApproval(request);
  const outcome = await endAccount(asker).catch(async (error: unknown) => {
    // Asked for twice at the same moment: an account that has ended has no way in.
    if ((await listCredentials(loginCore().database, asker.userId)).length > 0) throw error;
    return "ended";
  });
  if (outcome === "domains") {
    throw new ApiError(
      "domains_registered",
      "Nothing was deleted: you have domains registered at the hosted API. Delete them in the console first.",
    );
  }
  // Of most accounts this is all there is. The job finds the rest, and what fails here.
  await forgetSome(asker.userId).catch((error) =>
    log().warn({ error }, "the history of an ended account is left"),
  );
}
