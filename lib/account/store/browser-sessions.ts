import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { db } from "#lib/platform/database/db.ts";

const SHOWN = 100;

/** A user's live browser sessions, newest first. */
export async function listBrowserSessions(userId: number, now: Date): Promise<BrowserSession[]> {
  return db().browserSession.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    take: SHOWN,
    omit: { expiresAt: true, approvedAt: true },
  });
}
