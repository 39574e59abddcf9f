import "server-only";
import { timingSafeEqual } from "node:crypto";
import { now } from "#lib/platform/clock.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { RequestLimit } from "#lib/platform/http/rate-limit.ts";
import type { CheckAnswer } from "../protocol/answers.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import { plusSeconds } from "../protocol/time.ts";
import { findLoginSession, type LoginSessionState } from "../store/login-session.ts";
import { hashSecret } from "./random.ts";

/** Where flow A sends a browser once it is signed in: the `redirect` of specification 4.1. */
export const AFTER_LOGIN = "/dashboard";

/**
 * Specification 4.1, `GET /api/svc/check`: the status of a login session; the sid alone is enough to read it.
 * @param limit the request's, counted with the query
 * @throws {ApiError} 404 for an unknown sid, 410 for one that was not refreshed for ten minutes
 */
export async function checkLogin(sid: string, limit: RequestLimit | null): Promise<CheckAnswer> {
  return answerOf(await liveSession(sid, limit));
}

/**
 * The same for the browser that the session is bound to, and for no other.
 * @throws {ApiError} as `checkLogin`; 404 for another browser, as if there were no such session
 */
export async function checkLoginOfBrowser(sid: string, secret: string | null): Promise<CheckAnswer> {
  const session = await liveSession(sid, null);
  if (!secret || !session.browserHash || !timingSafeEqual(hashSecret(secret), session.browserHash))
    throw unknownSession();
  return answerOf(session);
}

async function liveSession(sid: string, limit: RequestLimit | null): Promise<LoginSessionState> {
  const session = await findLoginSession(sid, limit);
  if (!session) throw unknownSession();
  if (session.challengedAt <= plusSeconds(now(), -LOGIN_SESSION_IDLE_SECONDS)) {
    throw new ApiError("session_expired", "This session has ended. Ask /api/svc/qr for a new one.");
  }
  return session;
}

function answerOf({ status, userId }: LoginSessionState): CheckAnswer {
  if (status !== "authenticated") return { status };
  if (userId === null) throw new Error("an authenticated session without a user");
  return { status, user_id: userId, redirect: AFTER_LOGIN };
}

function unknownSession(): ApiError {
  return new ApiError("session_not_found", "There is no such session. Ask /api/svc/qr for a new one.");
}
