import "server-only";
import { notFound, redirect } from "next/navigation";
import { isApiMode, type Tenant } from "#lib/hosted/contract/tenant.ts";
import { consoleTenant } from "./console-tenant.ts";

/**
 * Whose data a page of the console shows: sends to the login whoever is not signed in, and has no page for a mode that
 * does not exist.
 * @param mode the path's segment
 * @param rest the path below it, to come back to: "/keys"
 */
export async function requireConsole(mode: string, rest = ""): Promise<Tenant> {
  if (!isApiMode(mode)) notFound();
  const tenant = await consoleTenant(mode);
  if (tenant) return tenant;
  return redirect(`/login?${new URLSearchParams({ callbackUrl: `/console/${mode}${rest}` })}`);
}
