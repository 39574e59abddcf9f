import { db } from "#lib/platform/database/db.ts";
import { masterSecrets } from "#lib/platform/env.ts";
import { openSecret, sealSecret } from "../crypto/secret-box.ts";

/** How many domains were resealed, how many needed nothing, and those whose secret no configured master secret opens. */
type Resealing = { resealed: number; current: number; unreadable: string[] };

/**
 * Seals every webhook secret that is sealed under the previous NEXTAUTH_SECRET under the current one. The last step
 * of a rotation: webhook secrets no longer need the previous one afterwards. May be run again, and while the
 * application runs.
 */
export async function resealSecrets(): Promise<Resealing> {
  const result: Resealing = { resealed: 0, current: 0, unreadable: [] };
  const [current] = masterSecrets();
  const select = { id: true, secret: true, previousSecret: true } as const;
  for (const domain of await db().domain.findMany({ select, orderBy: { id: "asc" } })) {
    const { id } = domain;
    const isCurrent = (box: Uint8Array | null) => !box || openSecret(box, id, [current]) !== null;
    const again = (box: Uint8Array) => {
      const text = openSecret(box, id, masterSecrets());
      return text === null ? null : sealSecret(text, id, current);
    };
    const secret = again(domain.secret);
    if (isCurrent(domain.secret) && isCurrent(domain.previousSecret)) result.current += 1;
    else if (!secret) result.unreadable.push(id);
    else {
      // A domain's previous secret is used for a day at most; one that cannot be opened is dropped.
      const previousSecret = domain.previousSecret && again(domain.previousSecret);
      // Not where they were replaced meanwhile.
      await db().domain.updateMany({ where: domain, data: { secret, previousSecret } });
      result.resealed += 1;
    }
  }
  return result;
}
