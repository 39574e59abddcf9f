import "server-only";
import type { ApiMode, Tenant } from "#lib/hosted/contract/tenant.ts";
import { ownerOfUser } from "#lib/hosted/tenants/tenant-of.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { currentSession } from "#lib/platform/current-session.ts";

/** The tenant that a user of the console is, and the browser in which they are signed in. */
export type ConsoleCaller = Tenant & { session: BrowserSession };

/** Whose data the signed-in user of the console works on in a mode, or null when nobody is signed in. */
export async function consoleTenant(mode: ApiMode): Promise<ConsoleCaller | null> {
  const session = await currentSession();
  if (!session) return null;
  const owner = await ownerOfUser(session.userId);
  return owner && { ownerId: owner.id, mode, session };
}
