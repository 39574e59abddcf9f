import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../../database/sql-function.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "../../../protocol/numbers.ts";

export type AddedKeyLogin = { now: Date; sid: string; browserHash: Uint8Array };

export type AddedKeyQuestion =
  | {
      state: "open";
      flow: "login" | "fast" | "hosted";
      userId: number;
      kind: "public_key" | "address";
      value: string;
      addedAt: Date;
      accountSince: Date;
      otherMethods: number;
    }
  /** The holder has said that the account is not theirs. */
  | { state: "removed" };

const since = (now: Date) => addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);

const QUESTION = sqlFunction("added_key_question", ["loginSid", "browserHash", "answeredSince"]);

type FoundQuestion = Omit<Extract<AddedKeyQuestion, { state: "open" }>, "state" | "userId"> & {
  userId: number | null;
  decided: boolean;
  added: boolean;
};

export async function findAddedKeyQuestion(
  database: Database,
  { now, sid, browserHash }: AddedKeyLogin,
): Promise<AddedKeyQuestion | null> {
  const row = await callSqlFunction<FoundQuestion>(database, QUESTION, {
    loginSid: sid,
    browserHash,
    answeredSince: since(now),
  });
  if (!row) return null;
  const { decided, added, userId, ...question } = row;
  if (decided) return userId === null ? { state: "removed" } : null;
  return userId !== null && added ? { state: "open", userId, ...question } : null;
}

const FIND_OPEN: Statement = {
  name: "find-open-question",
  text: `SELECT sid FROM login_session AS login JOIN credential AS held
      ON held.value = login.credential AND held.user_id = login.user_id
    WHERE browser_hash = $1::bytea AND status = 'authenticated'
      AND intent IS NULL
      AND redeemed_at IS NULL AND authenticated_at > $2::timestamptz AND held.added_by_session IS NOT NULL
    ORDER BY authenticated_at DESC LIMIT 1`,
};

export async function findOpenQuestionSid(
  database: Database,
  now: Date,
  browserHash: Uint8Array,
): Promise<string | null> {
  return (await database.run<{ sid: string }>(FIND_OPEN, [browserHash, since(now)]))[0]?.sid ?? null;
}

const DISOWN = sqlFunction("disown_added_key", [
  "loginSid",
  "browserHash",
  "userAgent",
  "now",
  "answeredSince",
  "deadline",
]);

/**
 * Also ends the login without signing in (`sql/added-key.sql`).
 * @returns false if there is nothing to decide
 */
export async function disownAddedKey(
  database: Database,
  { sid, ...login }: AddedKeyLogin & { userAgent: string | null },
): Promise<boolean> {
  const { now } = login;
  const values = {
    ...login,
    loginSid: sid,
    answeredSince: since(now),
    deadline: computeStatementDeadline(now),
  };
  const row = await retryOnConflict(() => callSqlFunction<{ disowned: boolean }>(database, DISOWN, values));
  return row?.disowned ?? false;
}
