import { account, addedKeys, approvals, createLogin, events, nextAuth, recovery } from "@svc/login";
import { headers } from "next/headers.js";
import { endHostedLoginsAfterRecovery, hostedLogins } from "#lib/hosted-demo/hosted-logins.ts";
import { database } from "#lib/platform/database/db.ts";
import { createDirectConnectionConfig } from "#lib/platform/database/direct-connection.ts";
import { assertDatabaseAnswers } from "#lib/platform/database/readiness.ts";
import { env, masterSecrets } from "#lib/platform/env.ts";
import { brand } from "#lib/platform/http/brand.ts";
import { log } from "#lib/platform/log.ts";
import { getMeters, recordLoginStep } from "#lib/platform/observe/meters.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";
import { runWithDatabaseWaitTimer } from "#packages/login/database/database-wait.ts";
import {
  type Requester,
  requireApproval as requireApprovalOf,
} from "#packages/login/plugins/approvals/requester.ts";
import { openLoginNotifications } from "#packages/login/plugins/events/login-listener.ts";
import type { Subscribe } from "#packages/login/plugins/events/watch-login.ts";
import { fast } from "#packages/login/plugins/fast/fast.ts";
import { nextAuthTokenCodec } from "#packages/login/plugins/next-auth/tokens.ts";
import { finishDueRecoveries } from "#packages/login/plugins/recovery/finish-recovery.ts";
import { now, processSingleton } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { ADDED_KEY_PAGES } from "#packages/login/protocol/paths.ts";
import type { BrowserSession } from "#packages/login/server/browser-session.ts";
import * as tokens from "#packages/login/server/browser-session.ts";
import { readBindingSecret } from "#packages/login/server/cookies.ts";
import type { RequestHeaders } from "#packages/login/server/web-request.ts";
import { createLoginCore, type LoginOptions } from "#packages/login/site/options.ts";

// Configures the package's login with this application's database, limits, log and account.

export const AFTER_LOGIN_PATH = "/dashboard";

/** Uses one connection per process. */
export const loginNotifications = processSingleton("login-notifications", () =>
  openLoginNotifications(createDirectConnectionConfig(), ({ message }) =>
    log().warn({ error: message }, "no notices of logins, trying again"),
  ),
);

const options = processSingleton("login-options", (): LoginOptions & { findOrCreateUser?: undefined } => ({
  origin: env().APP_URL,
  brand: brand(),
  qrFormat: env().SVC_QR_FORMAT,
  secrets: masterSecrets(),
  trustedProxies: env().TRUSTED_PROXIES,
  limitScale: env().RATE_LIMIT_SCALE,
  recoveryDelayHours: env().RECOVERY_DELAY_HOURS,
  afterLogin: AFTER_LOGIN_PATH,
  addedKeyPage: ADDED_KEY_PAGES.own,
  addsKeys: true,
  registersAddresses: env().FAST_AUTO_REGISTER,
  runtime: {
    database: database(),
    now,
    assertDatabaseAnswers,
  },
  onStep: recordLoginStep,
  onEvent: ({ kind, userId }) => endHostedLoginsAfterRecovery(kind, Number(userId)),
  onWrongCode: () => getMeters()?.wrongRecoveryCode(),
  onFailure(message, error, requestId) {
    const isWarning = isDatabaseUnavailable(error) || typeof error === "string";
    log()[isWarning ? "warn" : "error"]({ requestId, error }, message);
  },
}));

export async function finishRecoveries(): Promise<void> {
  await finishDueRecoveries(loginCore(), ({ kind, userId }) => endHostedLoginsAfterRecovery(kind, userId));
}

// All requests share this connection, so it must not end when the request that opened it runs out of time.
export const subscribeToLogin: Subscribe = (sid, listener) =>
  runWithDatabaseWaitTimer(undefined, () => loginNotifications().subscribe(sid, listener));

export const login = createLogin({
  plugins: [
    nextAuth(),
    approvals(),
    addedKeys(),
    recovery(),
    account(),
    events({ subscribe: subscribeToLogin }),
    fast(),
    hostedLogins,
  ],
  setUp: async () => options(),
});

/** For code that calls use cases directly. */
export const loginCore = processSingleton("login-core", () => {
  const { runtime } = options();
  if (!runtime) throw new Error("the login has no runtime");
  return createLoginCore(options(), runtime, nextAuthTokenCodec);
});

/**
 * Every restricted page and handler must call this function.
 * @param requestHeaders required if the server calls the handler without Next.js's router, and otherwise read from
 * Next.js
 */
export async function currentSession(requestHeaders?: RequestHeaders): Promise<BrowserSession | null> {
  return tokens.currentSession(loginCore(), requestHeaders ?? (await headers()));
}

/** @throws {Refusal} 401 without a session */
export async function requireSession(requestHeaders?: RequestHeaders): Promise<BrowserSession> {
  const session = await currentSession(requestHeaders);
  if (!session) throw refusal("not_signed_in", "Sign in first.");
  return session;
}

/**
 * The user must have signed in or approved within the last ten minutes (docs/protocol.md#44-approval).
 * @throws {Refusal} 401 without a session; 403 `approval_required`, with the sign-in methods that can approve
 */
export function requireApproval({ headers }: { headers: RequestHeaders }): Promise<Requester> {
  return requireApprovalOf(loginCore(), headers);
}

export async function readBrowserSecret(): Promise<string | null> {
  return readBindingSecret((await headers()).get("cookie"), env().APP_URL);
}
