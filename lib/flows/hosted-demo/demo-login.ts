import "server-only";
import { CREATE_SESSION, REFRESH_SESSION } from "#lib/contracts/hosted/session.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { hashSecret, newSecret } from "#lib/core/random.ts";
import { findDemoLogin, insertDemoLogin, isKnownBrowser } from "#lib/store/demo-login.ts";
import { AFTER_LOGIN } from "../login/check-login.ts";
import { callHostedApi } from "./call-hosted-api.ts";
import { DEMO_DOMAIN } from "./set-up-demo.ts";

/**
 * A customer's login on the hosted API, as any integrator may copy it: a session through the API, a row of one's own
 * that binds it to the browser, and a browser signed in once the event has come. The browser's secret is what keeps
 * somebody who photographed the code from being signed in (contract 3).
 */

/** What the page shows. */
export type DemoCode = { sid: string; qr: string };

/**
 * A code for this browser: a new challenge for its session, while that lives, else a new session.
 * @param secret the secret in the browser's cookie, if any
 * @returns the code, and the secret that the cookie has to hold from now on
 * @throws {ApiError} 503 when the hosted API has no answer, 404 where the demo is switched off
 */
export async function issueDemoCode(
  sid: string | null,
  secret: string | null,
): Promise<{ code: DemoCode; secret: string }> {
  requireDemo();
  if (sid !== null && secret !== null && (await findDemoLogin(sid, hashSecret(secret)))) {
    const code = await refreshSession(sid);
    if (code) return { code, secret };
  }
  // A secret that was planted in the browser would be somebody else's too.
  const keptSecret = secret !== null && (await isKnownBrowser(hashSecret(secret))) ? secret : null;
  const browserSecret = keptSecret ?? newSecret();
  const code = await createSession();
  await insertDemoLogin({ sessionId: code.sid, browserHash: hashSecret(browserSecret), now: now() });
  return { code, secret: browserSecret };
}

async function createSession(): Promise<DemoCode> {
  const result = await callHostedApi("/sessions", { domain: DEMO_DOMAIN }, CREATE_SESSION.success.schema);
  if ("refused" in result) throw new Error(`the hosted API refused the demo's session: ${result.refused}`);
  return { sid: result.answer.id, qr: result.answer.qr_data };
}

// Null for a session that is over, or was answered meanwhile.
async function refreshSession(sid: string): Promise<DemoCode | null> {
  const path = `/sessions/${encodeURIComponent(sid)}/refresh`;
  const result = await callHostedApi(path, undefined, REFRESH_SESSION.success.schema);
  return "refused" in result ? null : { sid, qr: result.answer.qr_data };
}

/**
 * Where a login of this browser stands: `authenticated` once its event has been received.
 * @throws {ApiError} 404 for a login of another browser, or of none
 */
export async function checkDemoLogin(sid: string, secret: string | null) {
  requireDemo();
  const login = secret === null ? null : await findDemoLogin(sid, hashSecret(secret));
  if (!login) throw new ApiError("session_not_found", "This browser has no such login. Start again.");
  return login.authenticatedAt
    ? { status: "authenticated" as const, redirect: AFTER_LOGIN }
    : { status: "pending" as const };
}

function requireDemo(): void {
  if (!env().HOSTED_DEMO) throw new ApiError("not_found", "The demo is switched off here.");
}
