import type { Prisma } from "#generated/prisma/client.ts";
import { db } from "#lib/platform/database/db.ts";
import { masterSecrets } from "#lib/platform/env.ts";
import { openSecret, sealSecret } from "../crypto/secret-box.ts";

/** A domain's secrets as they are sealed, with the domain's id as context. */
const SEALED = { id: true, secret: true, previousSecret: true } as const;
type SealedSecrets = Prisma.DomainGetPayload<{ select: typeof SEALED }>;

/**
 * The outcome: how many domains were resealed, and the ids of those whose secret no configured master secret opens.
 */
export type Resealing = { resealed: number; current: number; unreadable: string[] };

/**
 * Seals every webhook secret that is sealed under the previous NEXTAUTH_SECRET under the current one. The last step
 * of a rotation: webhook secrets no longer need the previous one afterwards. May be run again, and while the
 * application runs.
 */
export async function resealSecrets(): Promise<Resealing> {
  const result: Resealing = { resealed: 0, current: 0, unreadable: [] };
  for (const domain of await db().domain.findMany({ select: SEALED, orderBy: { id: "asc" } })) {
    const [current] = masterSecrets();
    const boxes = [domain.secret, domain.previousSecret].filter((box) => box !== null);
    if (boxes.every((box) => openSecret(box, domain.id, [current]) !== null)) result.current += 1;
    else if (await reseal(domain, current)) result.resealed += 1;
    else result.unreadable.push(domain.id);
  }
  return result;
}

/** False when a secret cannot be opened: the domain is left as it is. One replaced meanwhile is sealed as it should be. */
async function reseal(domain: SealedSecrets, current: string): Promise<boolean> {
  const again = (box: Uint8Array) => {
    const text = openSecret(box, domain.id, masterSecrets());
    return text === null ? null : sealSecret(text, domain.id, current);
  };
  const secret = again(domain.secret);
  if (!secret) return false;
  // A domain's previous secret is used for a day at most; one that cannot be opened is dropped.
  const previousSecret = domain.previousSecret && again(domain.previousSecret);
  // Not where they were replaced meanwhile.
  await db().domain.updateMany({ where: domain, data: { secret, previousSecret } });
  return true;
}
