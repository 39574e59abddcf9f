import "server-only";
import { now } from "#lib/platform/clock.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { recordBackupAsked } from "./store/account.ts";

/**
 * Has the dashboard ask the signed-in user no more for a second way in.
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function dismissBackupQuestion(): Promise<void> {
  await recordBackupAsked((await requireSession()).userId, now());
}
