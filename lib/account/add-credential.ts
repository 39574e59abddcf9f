import "server-only";
import { hashSecret } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import { currentSession, requireSession } from "#lib/platform/current-session.ts";
import { isUniqueViolation } from "#lib/platform/database/database-error.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { requireApproval } from "./require-approval.ts";
import { type Addition, addCredential, findAddition } from "./store/credential.ts";

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
  const meant = await additionOf(sid, secret);
  const found = meant && (await findAddition(meant.addition));
  if (!found) return null;
  const { kind, value, holderId } = found;
  return { kind, value, standing: holderId === null ? "new" : holderId === meant.userId ? "yours" : "taken" };
}

/**
 * Adds it, once.
 * @throws {ApiError} 401 when nobody is signed in, 403 `approval_required`, 404 when there is nothing to add, 409 when it has a user
 */
export async function addCandidate(sid: string, secret: string | null): Promise<{ id: string }> {
  const session = await requireSession();
  await requireApproval(session);
  const { userAgent } = session;
  const meant = await additionOf(sid, secret);
  try {
    const added = meant && (await addCredential({ ...meant.addition, userAgent }));
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

async function additionOf(
  sid: string,
  secret: string | null,
): Promise<{ addition: Addition; userId: number } | null> {
  const session = await currentSession();
  if (!session || secret === null) return null;
  const addition = { now: now(), sid, browserHash: hashSecret(secret), browserSessionId: session.id };
  return { addition, userId: session.userId };
}
