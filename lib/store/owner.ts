import "server-only";
import { db } from "#lib/core/db.ts";

/**
 * The queries on owners: the tenants that keys, domains and sessions belong to (contract 1). A console user's is found
 * by the user alone, and has a name that no other can have: the database refuses it.
 */

const CONSOLE_USER_NAME = /^user:/i;

/** True for a name that only a console user's owner may have. */
export function isConsoleUserName(name: string): boolean {
  return CONSOLE_USER_NAME.test(name);
}

/** The owner of this name, or null. */
export async function findOwner(name: string): Promise<{ id: string } | null> {
  return db().owner.findFirst({ where: { name }, select: { id: true } });
}

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

/** Makes the owner that a console user is, unless it is there by now. */
export async function createOwnerOfUser(userId: number, now: Date): Promise<{ id: string }> {
  return db().owner.upsert({
    where: { userId },
    create: { id: crypto.randomUUID(), name: `user:${userId}`, userId, createdAt: now },
    update: {},
    select: { id: true },
  });
}
