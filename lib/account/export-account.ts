import "server-only";
import { now } from "#lib/platform/clock.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { readAccount } from "./store/account.ts";

/**
 * Everything that is kept about the signed-in user, but for secrets and their hashes. The logins that a tenant's own
 * users made are the tenant's, to be read with its API keys.
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function exportAccount() {
  const { userId } = await requireSession();
  return { exported_at: now(), ...(await readAccount(userId)) };
}
