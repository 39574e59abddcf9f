import { db } from "#lib/platform/database/db.ts";
import { now } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import type { BrowserSession } from "#packages/login/server/browser-session.ts";

/** Tenants own keys, domains and sessions. A database constraint reserves the names of console users' tenants. */

/** Reserved for a console user's tenant. */
const CONSOLE_USER_NAME = /^user:/i;

/**
 * For `npm run admin -- … --owner`.
 * @throws {Refusal} 404 if the name is reserved for a console user who has no tenant yet, because the new tenant would
 * belong to that user
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

export async function findTenant(name: string): Promise<{ id: string } | null> {
  return db().owner.findFirst({ where: { name }, select: { id: true } });
}

export async function ensureTenant(name: string): Promise<{ id: string }> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH made AS (
      INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), ${name}, ${now()}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT id FROM made UNION ALL SELECT id FROM owner WHERE name = ${name} LIMIT 1`;
  // No row means that another request has just created the tenant.
  return rows[0] ?? db().owner.findFirstOrThrow({ where: { name }, select: { id: true } });
}

/** Created on first use. Null if the requesting browser session or the account has ended. */
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
  // No row means that another request has just created the tenant, or that the session or the account has ended.
  return rows[0] ?? find();
}
