import "server-only";
import { createHash } from "node:crypto";
import { now } from "#lib/platform/clock.ts";
import { SIGN_IN_REPEATED_SECONDS } from "../protocol/numbers.ts";
import { plusSeconds } from "../protocol/time.ts";
import { findBrowserSession } from "../store/browser-session.ts";
import { newBrowserSessionId } from "./random.ts";
import type { RedeemedLogin } from "./redeem-login.ts";

/** A browser's random word for one sign-in, the same each time it asks: 128 bits or more in hex. */
const ATTEMPT = /^[0-9a-f]{32,64}$/;

/**
 * The id of the browser session that a sign-in is to open. One that names its attempt gets the same id each time:
 * whoever finds that session knows sid, secret and attempt, and so is the browser that opened it (decision 0020).
 */
export function browserSessionIdFor(sid: string, secret: string | null, attempt: string | undefined): string {
  if (!secret || !isAttempt(attempt)) return newBrowserSessionId();
  const digits = createHash("sha256")
    .update(JSON.stringify([sid, secret, attempt]))
    .digest("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** What the same attempt opened a moment ago, its answer having got lost on the way; null for anything else. */
export async function findOpenedBefore(
  browserSessionId: string,
  attempt: string | undefined,
): Promise<RedeemedLogin | null> {
  if (!isAttempt(attempt)) return null;
  const at = now();
  const session = await findBrowserSession(browserSessionId, at);
  if (!session || session.createdAt < plusSeconds(at, -SIGN_IN_REPEATED_SECONDS)) return null;
  return { userId: session.userId, browserSessionId };
}

function isAttempt(attempt: string | undefined): attempt is string {
  return attempt !== undefined && ATTEMPT.test(attempt);
}
