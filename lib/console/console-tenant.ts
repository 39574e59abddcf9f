import { notFound, redirect } from "next/navigation";
import { type ApiMode, isApiMode, type Tenant } from "#lib/hosted/contract/tenant.ts";
import { listDomains } from "#lib/hosted/domains/manage-domains.ts";
import { findUserTenant } from "#lib/hosted/tenants/find-tenant.ts";
import { currentSession } from "#lib/login.ts";
import { Refusal } from "#packages/login/protocol/errors.ts";

/** Null if signed out. */
export async function findConsoleTenant(mode: ApiMode): Promise<Tenant | null> {
  const session = await currentSession();
  if (!session) return null;
  const tenant = await findUserTenant(session);
  return tenant && { tenantId: tenant.id, mode };
}

/**
 * If signed out, redirects to the login page.
 * @param mode the path's segment; 404 if it is not a mode
 * @param path the path below the mode to which the user returns, for example "/keys"
 */
export async function requireConsoleTenant(mode: string, path = ""): Promise<Tenant> {
  if (!isApiMode(mode)) notFound();
  const tenant = await findConsoleTenant(mode);
  if (tenant) return tenant;
  return redirect(`/login?${new URLSearchParams({ callbackUrl: `/console/${mode}${path}` })}`);
}

/** Null if the tenant has no such item. */
export async function nullIfNotFound<Item>(item: Promise<Item>): Promise<Item | null> {
  return item.catch((error: unknown) => {
    if (error instanceof Refusal && error.code.endsWith("not_found")) return null;
    throw error;
  });
}

/** Newest first. `usable` is the newest domain that can have sessions. */
export async function listTenantDomains(tenant: Tenant) {
  const { domains } = await listDomains(tenant, { limit: 100 });
  return { domains, usable: domains.find(({ verified }) => verified) ?? null };
}
