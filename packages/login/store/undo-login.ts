import { UNDO_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { type Database, deadlineOf, retryOnConflict } from "./database.ts";
import { call, sqlFunction } from "./sql-function.ts";

export type Undo = { now: Date; sid: string; undoHash: Uint8Array };

/** An undone login (`undone` in `sql/undo.sql`). */
export type UndoneLogin = {
  flow: "login" | "fast" | "hosted";
  /** Null if the login is a customer's to redeem. */
  userId: number | null;
  isFirst: boolean;
  /** Whether a recovery was cancelled that waited for the key that answered. */
  cancelsRecovery: boolean;
};

const UNDO = sqlFunction("undo", ["loginSid", "undoHash", "hosted", "now", "answeredSince", "deadline"]);

/** The times of `undo`: since when the login must have been answered, and until when the statement may change it. */
export const undoTimes = (now: Date) => ({
  now,
  answeredSince: addSeconds(now, -UNDO_SECONDS),
  deadline: deadlineOf(now),
});

/**
 * Undoes an answered login of the site, which can then no longer be redeemed.
 * @returns null for a wrong secret, and after the time limit
 */
export async function undoLogin(
  database: Database,
  { now, sid, undoHash }: Undo,
): Promise<UndoneLogin | null> {
  return call<UndoneLogin>(database, UNDO, { loginSid: sid, undoHash, hosted: false, ...undoTimes(now) });
}

const END_UNDONE_SESSIONS = sqlFunction("end_undone_sessions", ["loginSid", "undoHash", "ownerId", "now"]);

/** Ends the browser sessions that an undone login opened, and those that replaced them by an approval. */
export async function endUndoneSessions(
  database: Database,
  { sid, undoHash, userId, now }: Undo & Pick<UndoneLogin, "userId">,
): Promise<void> {
  const undone = { loginSid: sid, undoHash, ownerId: userId, now };
  await retryOnConflict(() => call(database, END_UNDONE_SESSIONS, undone));
}
