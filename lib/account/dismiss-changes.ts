import { requireSession } from "./login.ts";
import { dismissChanges } from "./store/history.ts";

/**
 * Hides changes in the browser that asks, and in no other.
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function dismissSeenChanges(ids: readonly string[]): Promise<void> {
  await dismissChanges(await requireSession(), ids.map(BigInt));
}
