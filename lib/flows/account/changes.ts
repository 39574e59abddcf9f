import "server-only";
import { now } from "#lib/core/clock.ts";
import type { BrowserSessionRow } from "#lib/store/browser-session.ts";
import { type ChangeKind, dismissChanges, logChange } from "#lib/store/login-event.ts";
import { requireSession } from "../auth/current-session.ts";

/** Has the user's other browsers show what this one has changed, until it is dismissed there. */
export async function recordChange(
  session: BrowserSessionRow,
  kind: ChangeKind,
  subject: string | null,
): Promise<void> {
  await logChange({ now: now(), session, kind, subject });
}

/**
 * Shows changes no more in the browser that asks.
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function dismissSeenChanges(ids: readonly string[]): Promise<void> {
  await dismissChanges(await requireSession(), ids.map(BigInt));
}
