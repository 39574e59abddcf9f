import { computeStatementDeadline, type Database, retryOnConflict } from "../database/database.ts";
import { callSqlFunction, sqlFunction } from "../database/sql-function.ts";
import { refusal } from "../protocol/errors.ts";
import type { UndoAnswer } from "../protocol/messages.ts";
import { addSeconds, UNDO_SECONDS } from "../protocol/numbers.ts";
import { UNDO_PATH } from "../protocol/paths.ts";
import { isSid } from "../protocol/qr-payload.ts";
import type { LoginCore } from "./core.ts";
import { hashSecret } from "./random.ts";

/** @param secret only the answering wallet receives it */
export function createUndoUrl({ origin }: LoginCore, sid: string, secret: string): string {
  return `${origin.origin}${UNDO_PATH}?s=${sid}&t=${secret}`;
}

/**
 * Also notifies the login's browser and, for a hosted login, the customer. Returns null if the login belongs to another
 * flow.
 */
export type MarkUndone = (core: LoginCore, undo: UndoRequest) => Promise<UndoneLogin | null>;

export type UndoRules = {
  otherFlows: readonly MarkUndone[];
  /** For example, a site's own sessions. Called again if the wallet repeats the undo. */
  onUndone: (login: UndoneLogin & { sid: string }) => Promise<void>;
};

const markOwn: MarkUndone = ({ database }, undo) => markLoginUndone(database, undo);

/**
 * The login may have been redeemed. Ends every browser session that it opened, the sessions that replaced such a
 * session after an approval, and a recovery that is waiting for the answering key (docs/protocol.md#112-after-signing).
 * Repeating the call has the same effect.
 * @throws {Refusal} 404 `session_not_found` if the secret is wrong, or if the login was answered more than ten minutes
 * ago
 */
export async function undoLogin(
  core: LoginCore,
  { sid, word }: { sid: string; word: string },
  { requestId, otherFlows, onUndone }: UndoRules & { requestId: string },
): Promise<UndoAnswer> {
  const undo = { now: core.now(), sid, undoHash: hashSecret(word) };
  let undoneLogin: UndoneLogin | null = null;
  for (const mark of isSid(sid) ? [markOwn, ...otherFlows] : []) {
    undoneLogin ??= await retryOnConflict(() => mark(core, undo));
  }
  if (!undoneLogin) {
    throw refusal(
      "session_not_found",
      "There is no login to undo. It has ended, or it is more than ten minutes old.",
    );
  }
  await endSessionsOfUndoneLogin(core.database, { ...undo, ...undoneLogin });
  if (undoneLogin.isFirst) core.onStep({ requestId, flow: undoneLogin.flow, sid, outcome: "undone" });
  await onUndone({ ...undoneLogin, sid });
  return { status: "undone" };
}

export type UndoRequest = { now: Date; sid: string; undoHash: Uint8Array };

/** `undone` in `sql/undo.sql` */
export type UndoneLogin = {
  flow: "login" | "fast" | "hosted";
  /** Null for a hosted login, because the customer redeems it. */
  userId: number | null;
  isFirst: boolean;
  cancelsRecovery: boolean;
};

const UNDO = sqlFunction("undo", ["loginSid", "undoHash", "hosted", "now", "answeredSince", "deadline"]);

/** `answeredSince` is the earliest time of an answer that can still be undone. */
export const computeUndoTimes = (now: Date) => ({
  now,
  answeredSince: addSeconds(now, -UNDO_SECONDS),
  deadline: computeStatementDeadline(now),
});

/**
 * The login can then no longer be redeemed.
 * @returns null if the secret is wrong or the time limit has passed
 */
export async function markLoginUndone(
  database: Database,
  { now, sid, undoHash }: UndoRequest,
): Promise<UndoneLogin | null> {
  return callSqlFunction<UndoneLogin>(database, UNDO, {
    loginSid: sid,
    undoHash,
    hosted: false,
    ...computeUndoTimes(now),
  });
}

const END_UNDONE_SESSIONS = sqlFunction("end_undone_sessions", ["loginSid", "undoHash", "ownerId", "now"]);

/** Also ends the sessions that replaced the login's sessions after an approval. */
export async function endSessionsOfUndoneLogin(
  database: Database,
  { sid, undoHash, userId, now }: UndoRequest & Pick<UndoneLogin, "userId">,
): Promise<void> {
  const undone = { loginSid: sid, undoHash, ownerId: userId, now };
  await retryOnConflict(() => callSqlFunction(database, END_UNDONE_SESSIONS, undone));
}
