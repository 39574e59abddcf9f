import "server-only";
import type { ApiMode, Tenant } from "#lib/hosted/contract/tenant.ts";
import { ownerOfUser } from "#lib/hosted/tenants/tenant-of.ts";
import { currentSession } from "#lib/platform/current-session.ts";

/** Whose data the signed-in user of the console works on in a mode, or null when nobody is signed in. */
export async function consoleTenant(mode: ApiMode): Promise<Tenant | null> {
  const session = await currentSession();
  if (!session) return null;
  const { id: ownerId } = await ownerOfUser(session.userId);
  return { ownerId, mode };
}
