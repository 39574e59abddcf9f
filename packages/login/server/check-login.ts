import { timingSafeEqual } from "node:crypto";
import type { Database } from "../database/database.ts";
import { callSqlFunction, type RequestCounter, sqlFunction } from "../database/sql-function.ts";
import { type Refusal, refusal } from "../protocol/errors.ts";
import type { CheckAnswer } from "../protocol/messages.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import type { LoginCore } from "./core.ts";
import { hashSecret } from "./random.ts";

/** An authenticated login may not have a user yet. */
type LoginStatus = CheckAnswer | { status: "authenticated"; redirect: string };

/**
 * Reads a login's status, for anyone who knows the sid (docs/protocol.md#33-get-apisvccheck).
 * @param limit if set, counts the request
 * @throws {Refusal} 404 if the sid is unknown; 410 if the login was not refreshed for ten minutes or was undone
 */
export async function checkLogin(
  core: LoginCore,
  sid: string,
  limit: RequestCounter | null,
): Promise<LoginStatus> {
  const session = await findLoginSession(core.database, sid, limit);
  if (session?.flow !== "login") throw unknownSession();
  return answerOf(core, session);
}

/**
 * Like `checkLogin`, but only for the browser to which the login is bound. Also supports the fast login.
 * @throws {Refusal} as `checkLogin`; 404 for another browser, as if there were no such login
 */
export async function checkBrowserLogin(
  core: LoginCore,
  { sid, secret }: { sid: string; secret: string | null },
): Promise<LoginStatus> {
  const session = await findLoginSession(core.database, sid);
  if (!secret || !session?.browserHash || !timingSafeEqual(hashSecret(secret), session.browserHash)) {
    throw unknownSession();
  }
  return answerOf(core, session);
}

function answerOf({ afterLogin, now }: LoginCore, session: LoginSessionState): LoginStatus {
  if (session.challengedAt <= addSeconds(now(), -LOGIN_SESSION_IDLE_SECONDS)) {
    throw refusal("session_expired", "This session has ended. Get a new one from /api/svc/qr.");
  }
  if (session.isUndone) {
    throw refusal(
      "session_expired",
      "This login was undone in its user's wallet. Get a new one from /api/svc/qr.",
    );
  }
  const { flow, status, userId } = session;
  if (status !== "authenticated") return { status };
  // The user of an address, or of a wallet that is being linked, is found or created only after the answer.
  if (flow === "fast" || userId === null) return { status, redirect: afterLogin };
  return { status, user_id: userId, redirect: afterLogin };
}

function unknownSession(): Refusal {
  return refusal("session_not_found", "There is no such session. Get a new one from /api/svc/qr.");
}

/** The columns from which a login session's status is derived. */
export type LoginSessionState = {
  flow: "login" | "fast";
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
  isUndone: boolean;
};

const CHECK_LOGIN = sqlFunction("check_login", ["loginSid"]);

/**
 * Reads a login session's state. Returns null if the sid was never issued or its session has been deleted.
 * @param limit if set, counts the request
 */
export async function findLoginSession(
  database: Database,
  sid: string,
  limit: RequestCounter | null = null,
): Promise<LoginSessionState | null> {
  return callSqlFunction<LoginSessionState>(database, CHECK_LOGIN, { loginSid: sid }, limit);
}
