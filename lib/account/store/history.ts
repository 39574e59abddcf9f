import "server-only";
import { db } from "#lib/platform/database/db.ts";

/** A line of a user's login history. */
export type LoginEventRow = {
  id: bigint;
  at: Date;
  kind:
    | "issued"
    | "delivered"
    | "refused"
    | "unregistered"
    | "session_created"
    | "session_ended"
    | "credential_added"
    | "credential_removed";
  reason: string | null;
  credential: string | null;
  deviceInfo: unknown;
  userAgent: string | null;
};

/** What happened to a user's logins, newest first. */
export async function listLoginEvents(userId: number, limit: number): Promise<LoginEventRow[]> {
  return db().loginEvent.findMany({
    where: { userId },
    orderBy: { at: "desc" },
    take: limit,
    select: {
      id: true,
      at: true,
      kind: true,
      reason: true,
      credential: true,
      deviceInfo: true,
      userAgent: true,
    },
  });
}

/** What happened to one session, oldest first. The caller shows them to whose session it is alone. */
export async function listEventsOfSession(
  sid: string,
  limit: number,
): Promise<Pick<LoginEventRow, "id" | "at" | "kind" | "reason">[]> {
  return db().loginEvent.findMany({
    where: { sid },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    take: limit,
    select: { id: true, at: true, kind: true, reason: true },
  });
}
