import { hashSecret } from "#lib/login/server/random.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { now } from "#lib/platform/clock.ts";
import { isUniqueViolation } from "#lib/platform/database/database-error.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { currentSession, requireApproval } from "./login.ts";
import { addCredential, findAddition } from "./store/credential.ts";
import { inNameOf } from "./store/in-name-of.ts";

/** What a wallet answered with, and whether it can be added to the signed-in user. */
export type Candidate = {
  kind: "public_key" | "address";
  value: string;
  /** `taken`: another user signs in with it. */
  standing: "new" | "yours" | "taken";
};

/**
 * The credential with which a wallet answered a code that this signed-in browser asked for with `intent=add`; null
 * when there is none. It is shown to the user before it is added: whoever saw the code could have answered it.
 */
export async function findCandidate(sid: string, secret: string | null): Promise<Candidate | null> {
  const session = await currentSession();
  if (!session || secret === null) return null;
  const found = await findAddition(session.id, now(), { sid, browserHash: hashSecret(secret) });
  if (!found) return null;
  const { kind, value, holderId } = found;
  return {
    kind,
    value,
    standing: holderId === null ? "new" : holderId === session.userId ? "yours" : "taken",
  };
}

/**
 * Adds it, once.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required`, 404 when there is nothing to add, 409 when it has a user
 */
export async function addCandidate(
  request: { headers: SentHeaders },
  sid: string,
  secret: string | null,
): Promise<{ id: string }> {
  const asker = await requireApproval(request);
  try {
    const added =
      secret &&
      (await inNameOf(asker, { needsApproval: true }, (queries) =>
        addCredential(queries, asker, { sid, browserHash: hashSecret(secret) }),
      ));
    if (added) return added;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError(
      "credential_taken",
      "This key or address already belongs to an account. Use another one, or remove it there first.",
    );
  }
  throw new ApiError("session_not_found", "There is nothing to add any more. Ask for a new code.");
}
