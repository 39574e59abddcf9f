import { notFound, redirect } from "next/navigation";
import { currentSession } from "#lib/account/login.ts";
import { type ApiMode, isApiMode, type Tenant } from "#lib/hosted/contract/tenant.ts";
import { tenantOfUser } from "#lib/hosted/tenants/find-tenant.ts";

/** Whose data the signed-in user of the console works on in a mode, or null when nobody is signed in. */
export async function consoleTenant(mode: ApiMode): Promise<Tenant | null> {
  const session = await currentSession();
  if (!session) return null;
  const tenant = await tenantOfUser(session);
  return tenant && { tenantId: tenant.id, mode };
}

/**
 * Whose data a page of the console shows: sends to the login whoever is not signed in.
 * @param mode the path's segment; there is no page for one that is no mode
 * @param rest the path below it, to come back to: "/keys"
 */
export async function requireConsole(mode: string, rest = ""): Promise<Tenant> {
  if (!isApiMode(mode)) notFound();
  const tenant = await consoleTenant(mode);
  if (tenant) return tenant;
  return redirect(`/login?${new URLSearchParams({ callbackUrl: `/console/${mode}${rest}` })}`);
}
