import "server-only";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { now } from "#lib/platform/clock.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { type ChangeKind, dismissChanges, logChange } from "./store/history.ts";

/** Has the user's other browsers show what this one has changed, until it is dismissed there. */
export async function recordChange(
  session: BrowserSession,
  kind: ChangeKind,
  subject: string | null,
): Promise<void> {
  await logChange({ now: now(), session, kind, subject });
}

/**
 * Hides changes in the browser that asks.
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function dismissSeenChanges(ids: readonly string[]): Promise<void> {
  await dismissChanges(await requireSession(), ids.map(BigInt));
}
