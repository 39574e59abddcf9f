import { now } from "#lib/platform/clock.ts";
import { requireSession } from "./login.ts";
import { recordBackupAsked } from "./store/account.ts";

/**
 * Stops the dashboard from asking the signed-in user for a second way in.
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function dismissBackupQuestion(): Promise<void> {
  await recordBackupAsked((await requireSession()).userId, now());
}
