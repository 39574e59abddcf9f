import "server-only";
import { notFound, redirect } from "next/navigation";
import { type ApiMode, isApiMode, type Tenant } from "#lib/contracts/hosted/tenant.ts";
import { currentSession } from "../auth/current-session.ts";
import { ownerOfUser } from "../owners/owner-of.ts";

/** Whose data the signed-in user of the console works on in a mode, or null when nobody is signed in. */
export async function consoleTenant(mode: ApiMode): Promise<Tenant | null> {
  const session = await currentSession();
  if (!session) return null;
  const { id: ownerId } = await ownerOfUser(session.userId);
  return { ownerId, mode };
}

/**
 * The same for a page of the console: sends to the login whoever is not signed in, and has no page for a mode that
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
