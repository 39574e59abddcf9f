import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import {
  createTenantOfUser,
  ensureTenant,
  findTenant,
  findTenantOfUser,
  isConsoleUserName,
} from "../store/tenant.ts";

/**
 * The tenant of this name, made when new: what `npm run admin -- … --owner` names.
 * @throws {ApiError} 404 for a console user who is none yet: who made it would be in that user's account
 */
export async function tenantNamed(name: string): Promise<{ id: string }> {
  if (!isConsoleUserName(name)) return ensureTenant(name, now());
  const tenant = await findTenant(name);
  if (tenant) return tenant;
  throw new ApiError(
    "not_found",
    `"${name}" names a user of the console, and there is none by that name who has used it. Choose another name.`,
  );
}

/** The tenant that a console user is, made on first use. Null when the browser session that asks has ended. */
export async function tenantOfUser(
  session: Pick<BrowserSession, "id" | "userId">,
): Promise<{ id: string } | null> {
  return (await findTenantOfUser(session.userId)) ?? createTenantOfUser(session, now());
}
