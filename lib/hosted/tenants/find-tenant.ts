import { db } from "#lib/platform/database/db.ts";
import { now } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import type { BrowserSession } from "#packages/login/server/browser-session.ts";

/**
 * Tenants, which own keys, domains and sessions. A database constraint reserves the names of console users' tenants.
 */

/** A name that only a console user's tenant may have. */
const CONSOLE_USER_NAME = /^user:/i;

/**
 * Returns the tenant with this name, for `npm run admin -- … --owner`, and creates it if it does not exist.
 * @throws {Refusal} 404 if the name belongs to a console user without a tenant, because the new tenant would be in that
 * user's account
 */
export async function findOrCreateTenant(name: string): Promise<{ id: string }> {
  if (!CONSOLE_USER_NAME.test(name)) return ensureTenant(name);
  const tenant = await findTenant(name);
  if (tenant) return tenant;
  throw refusal(
    "not_found",
    `"${name}" names a user of the console, but no such user has used the console yet. Choose another name.`,
  );
}

/** Finds the tenant with this name, or returns null. */
export async function findTenant(name: string): Promise<{ id: string } | null> {
  return db().owner.findFirst({ where: { name }, select: { id: true } });
}

/** Returns the tenant with this name, and creates it if it is new. */
export async function ensureTenant(name: string): Promise<{ id: string }> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH made AS (
      INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), ${name}, ${now()}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT id FROM made UNION ALL SELECT id FROM owner WHERE name = ${name} LIMIT 1`;
  // No row is returned if another request has just created it, so it exists now.
  return rows[0] ?? db().owner.findFirstOrThrow({ where: { name }, select: { id: true } });
}

/**
 * Returns a console user's tenant, which is created on first use, or null if the requesting browser session or the
 * account has ended.
 */
export async function findUserTenant({
  id: sessionId,
  userId,
}: Pick<BrowserSession, "id" | "userId">): Promise<{ id: string } | null> {
  const find = () => db().owner.findFirst({ where: { userId }, select: { id: true } });
  const existing = await find();
  if (existing) return existing;
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH holder AS (
      -- Waits for an account that is just being deleted, in endAccount's order, and then finds no session.
      SELECT user_account.id FROM user_account JOIN credential ON credential.user_id = user_account.id
        JOIN browser_session AS session ON session.user_id = user_account.id
      WHERE session.id = ${sessionId}::uuid AND session.expires_at > ${now()}::timestamptz
      LIMIT 1 FOR KEY SHARE OF session, credential, user_account
    )
    INSERT INTO owner (id, name, user_id, created_at)
    SELECT gen_random_uuid(), 'user:' || id, id, ${now()}::timestamptz FROM holder
    ON CONFLICT DO NOTHING RETURNING id`;
  // See ensureTenant.
  return rows[0] ?? find();
}
