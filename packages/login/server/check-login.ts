import { timingSafeEqual } from "node:crypto";
import type { Database } from "../database/database.ts";
import { callSqlFunction, type RequestCounter, sqlFunction } from "../database/sql-function.ts";
import { type Refusal, refusal } from "../protocol/errors.ts";
import type { CheckAnswer } from "../protocol/messages.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import type { LoginCore } from "./core.ts";
import { hashSecret } from "./random.ts";

/** Unlike in `CheckAnswer`, an authenticated login can still be without a user. */
type LoginStatus = CheckAnswer | { status: "authenticated"; redirect: string };

/**
 * For anyone who knows the sid (docs/protocol.md#33-get-apisvccheck).
 * @throws {Refusal} 404 if the sid is unknown; 410 if the login has not been refreshed for ten minutes or has been
 * undone
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
 * Only for the browser to which the login is bound. Also supports the fast login.
 * @throws {Refusal} as `checkLogin`; 404 if the login is bound to another browser, as if the login did not exist
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
  // If an address signs in, or a wallet is being linked, the user is found or created only at redemption.
  if (flow === "fast" || userId === null) return { status, redirect: afterLogin };
  return { status, user_id: userId, redirect: afterLogin };
}

function unknownSession(): Refusal {
  return refusal("session_not_found", "There is no such session. Get a new one from /api/svc/qr.");
}

export type LoginSessionState = {
  flow: "login" | "fast";
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
  isUndone: boolean;
};

const CHECK_LOGIN = sqlFunction("check_login", ["loginSid"]);

export async function findLoginSession(
  database: Database,
  sid: string,
  limit: RequestCounter | null = null,
): Promise<LoginSessionState | null> {
  return callSqlFunction<LoginSessionState>(database, CHECK_LOGIN, { loginSid: sid }, limit);
}
