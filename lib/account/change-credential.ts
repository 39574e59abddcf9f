import { requireAsker } from "#lib/approval/asker.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { isUuid } from "#lib/platform/uuid.ts";
import { loginCore, requireApproval } from "./login.ts";
import { removeCredential, renameCredential } from "./store/credential.ts";
import { inNameOf } from "./store/in-name-of.ts";

/**
 * Names one of the signed-in user's credentials; an empty name takes it away.
 * @throws {ApiError} 401 when nobody is signed in, 404 for an id that is none of the user's
 */
export async function nameCredential(
  { headers }: { headers: SentHeaders },
  id: string,
  label: string,
): Promise<void> {
  const asker = await requireAsker(loginCore(), headers);
  const named =
    isUuid(id) &&
    (await inNameOf(asker, { needsApproval: false }, (queries) =>
      renameCredential(queries, asker.userId, id, label === "" ? null : label),
    ));
  if (!named) throw unknown();
}

/**
 * Removes one of the signed-in user's credentials, and ends the other sessions that it opened.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required`, 404 for an id that is none of the user's,
 *   409 for the last one
 */
export async function dropCredential(request: { headers: SentHeaders }, id: string): Promise<void> {
  const asker = await requireApproval(request);
  const result = isUuid(id)
    ? await inNameOf(asker, { needsApproval: true }, (queries) => removeCredential(queries, asker, id))
    : "unknown";
  if (result === "unknown") throw unknown();
  if (result === "last") {
    throw new ApiError("last_credential", "This is your only way to sign in: add another one first.");
  }
}

function unknown(): ApiError {
  return new ApiError("not_found", "You have no such way to sign in: it may have been removed already.");
}
