import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { db } from "#lib/platform/database/db.ts";

/**
 * The queries on tenants, which own keys, domains and sessions. A console user's tenant is found by the user's id;
 * the database refuses its name to any other tenant.
 */

const CONSOLE_USER_NAME = /^user:/i;

/** True for a name that only a console user's tenant may have. */
export function isConsoleUserName(name: string): boolean {
  return CONSOLE_USER_NAME.test(name);
}

/** The tenant of this name, or null. */
export async function findTenant(name: string): Promise<{ id: string } | null> {
  return db().owner.findFirst({ where: { name }, select: { id: true } });
}

/** The tenant of this name, made when new. */
export async function ensureTenant(name: string, now: Date): Promise<{ id: string }> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH made AS (
      INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), ${name}, ${now}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT id FROM made UNION ALL SELECT id FROM owner WHERE name = ${name} LIMIT 1`;
  // No row is returned when another request has just made it: it is there now.
  return rows[0] ?? db().owner.findFirstOrThrow({ where: { name }, select: { id: true } });
}

/** The tenant that a console user is, or null before its first use. */
export async function findTenantOfUser(userId: number): Promise<{ id: string } | null> {
  return db().owner.findFirst({ where: { userId }, select: { id: true } });
}

/** Makes a console user's tenant, unless it exists. Null when the browser session that asks has ended, or the account. */
export async function createTenantOfUser(
  { id: sessionId, userId }: Pick<BrowserSession, "id" | "userId">,
  now: Date,
): Promise<{ id: string } | null> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH holder AS (
      -- Waits for an account that is just being deleted, as endAccount locks the user, and then finds no credential.
      SELECT user_account.id FROM user_account JOIN credential ON credential.user_id = user_account.id
        JOIN browser_session AS session ON session.user_id = user_account.id
      WHERE session.id = ${sessionId}::uuid AND session.expires_at > ${now}::timestamptz
      LIMIT 1 FOR KEY SHARE OF user_account, credential, session
    )
    INSERT INTO owner (id, name, user_id, created_at)
    SELECT gen_random_uuid(), 'user:' || id, id, ${now}::timestamptz FROM holder
    ON CONFLICT DO NOTHING RETURNING id`;
  // No row is returned when another request has just made it, too: it is there now.
  return rows[0] ?? findTenantOfUser(userId);
}
