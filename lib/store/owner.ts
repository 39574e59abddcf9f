import "server-only";
import { db } from "#lib/core/db.ts";

/** The queries on owners: the tenants that keys, domains and sessions belong to (contract 1). */

/** The owner of this name, made when new. */
export async function ensureOwner(name: string, now: Date): Promise<{ id: string }> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH made AS (
      INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), ${name}, ${now}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT id FROM made UNION ALL SELECT id FROM owner WHERE name = ${name} LIMIT 1`;
  // Nothing is returned when somebody else made it at this very moment: it is there now.
  return rows[0] ?? db().owner.findFirstOrThrow({ where: { name }, select: { id: true } });
}

/** The owner that a console user is, or null before its first use. */
export async function findOwnerOfUser(userId: number): Promise<{ id: string } | null> {
  return db().owner.findFirst({ where: { userId }, select: { id: true } });
}

/** Makes the owner that a console user is; one that the operator named so before becomes the user's. */
export async function createOwnerOfUser(userId: number, name: string, now: Date): Promise<{ id: string }> {
  return db().owner.upsert({
    where: { name },
    create: { id: crypto.randomUUID(), name, userId, createdAt: now },
    update: { userId },
    select: { id: true },
  });
}
