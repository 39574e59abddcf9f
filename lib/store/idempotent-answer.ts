import "server-only";
import type { Tenant } from "#lib/contracts/hosted/tenant.ts";
import { db } from "#lib/core/db.ts";

/** The answer that an idempotency key was given since `liveSince`, or null; the session's statement writes it. */
export async function findIdempotentAnswer(
  { ownerId, mode }: Tenant,
  key: string,
  liveSince: Date,
): Promise<{ requestHash: Uint8Array; body: unknown } | null> {
  return db().idempotentAnswer.findFirst({
    where: { ownerId, mode, key, createdAt: { gt: liveSince } },
    select: { requestHash: true, body: true },
  });
}
