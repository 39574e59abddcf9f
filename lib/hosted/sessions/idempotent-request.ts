import { ApiError } from "#lib/login/http/api-error.ts";
import { now } from "#lib/login/process/state.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import { db } from "#lib/platform/database/db.ts";
import { CreatedSession, type CreateSession } from "../contract/session.ts";
import type { Tenant } from "../contract/tenant.ts";
import { IDEMPOTENCY_SECONDS } from "../numbers.ts";

/** A request to make a session under an idempotency key. */
export type IdempotentRequest = NonNullable<ReturnType<typeof readIdempotentRequest>>;

/**
 * Reads an `Idempotency-Key`. Bodies are compared after parsing: white space, the order of fields and ignored fields
 * make no difference.
 * @returns null without a key
 * @throws {ApiError} 400 for a key that is empty, too long or not printable ASCII
 */
export function readIdempotentRequest(tenant: Tenant, key: string | null, body: CreateSession) {
  if (key === null) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new ApiError("invalid_request", "An Idempotency-Key has 1 to 255 printable ASCII characters.");
  }
  const requestHash = hashSecret(JSON.stringify(body));
  const liveSince = addSeconds(now(), -IDEMPOTENCY_SECONDS);
  return {
    /**
     * The answer that this key was given in the last 24 hours, or null.
     * @throws {ApiError} 409 `idempotency_conflict` when that was for another body
     */
    async earlierAnswer(): Promise<CreatedSession | null> {
      const before = await db().idempotentAnswer.findFirst({
        where: { ownerId: tenant.tenantId, mode: tenant.mode, key, createdAt: { gt: liveSince } },
        select: { requestHash: true, body: true },
      });
      if (!before) return null;
      if (Buffer.compare(before.requestHash, requestHash) === 0) return CreatedSession.parse(before.body);
      throw new ApiError(
        "idempotency_conflict",
        "This Idempotency-Key was used with another body in the last 24 hours. Take a new key for a new request.",
      );
    },
    /** What the session's statement claims: the key, the request's hash, its answer, and since when another claim counts. */
    claimFor: (answer: CreatedSession) => [key, requestHash, JSON.stringify(answer), liveSince],
  };
}
