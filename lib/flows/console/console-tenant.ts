import "server-only";
import type { ApiMode, Tenant } from "#lib/contracts/hosted/tenant.ts";
import type { BrowserSessionRow } from "#lib/store/browser-session.ts";
import { currentSession } from "../auth/current-session.ts";
import { ownerOfUser } from "../owners/owner-of.ts";

/** The tenant that a user of the console is, and the browser in which they are signed in. */
export type ConsoleCaller = Tenant & { session: BrowserSessionRow };

/** Whose data the signed-in user of the console works on in a mode, or null when nobody is signed in. */
export async function consoleTenant(mode: ApiMode): Promise<ConsoleCaller | null> {
  const session = await currentSession();
  if (!session) return null;
  const { id: ownerId } = await ownerOfUser(session.userId);
  return { ownerId, mode, session };
}
