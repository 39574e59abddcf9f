import { randomUUID } from "node:crypto";
import { type Database, retryOnConflict, statementDeadline } from "../database/database.ts";
import { call, type SqlFunction, sqlFunction } from "../database/sql-function.ts";
import {
  addSeconds,
  BROWSER_SESSION_SECONDS,
  LOGIN_SESSION_IDLE_SECONDS,
  SIGN_IN_REPEAT_SECONDS,
} from "../protocol/numbers.ts";
import { isSid } from "../protocol/qr-payload.ts";
import { findBrowserSession, readCurrentClaims } from "./browser-session.ts";
import { readBindingSecret } from "./cookies.ts";
import type { LoginCore, LoginFlow, LoginReason } from "./core.ts";
import { deriveUuid, hashSecret } from "./random.ts";
import { userAgentOf } from "./web-request.ts";

/** The input of a redemption: the browser with the secret, and the browser session that this browser gets. */
export type Redemption = {
  now: Date;
  sid: string;
  browserHash: Uint8Array;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
  /** The current browser session. If it added the key, the holder is not asked about the key. */
  currentSessionId: string | null;
  /** True if the holder of an added key has seen the account that the key signs in to and has confirmed the sign-in. */
  holderConfirms: boolean;
};

/**
 * The signed-in user; `unconfirmed` if the holder of an added key must confirm it first; null if there is nothing to
 * redeem.
 */
export type RedemptionOutcome = { userId: number } | "unconfirmed" | null;

/** The parameters of a SQL function that redeems logins. */
const PARAMETERS = [
  "loginSid",
  "browserHash",
  "browserSessionId",
  "userAgent",
  "currentSessionId",
  "holderConfirms",
  "now",
  "answeredSince",
  "expiresAt",
  "deadline",
] as const;

/** The SQL function that redeems the logins of a flow, and its fixed parameters. */
export type RedemptionFunction = {
  function: SqlFunction<string>;
  parameters: Readonly<Record<string, unknown>>;
};

const REDEEM = sqlFunction("redeem", ["flow", "registers", ...PARAMETERS]);

/**
 * Redeems the logins of `login_session` (`sql/redeem.sql`).
 * @param registers whether a user is created for an address that has none
 */
export const redemptionFunctionFor = (flow: "login" | "fast", registers = false): RedemptionFunction => ({
  function: REDEEM,
  parameters: { flow, registers },
});

/** Redeems logins that are in another table, with a SQL function that has the same parameters. */
export const customRedemptionFunction = (name: string): RedemptionFunction => ({
  function: sqlFunction(name, PARAMETERS),
  parameters: {},
});

/**
 * Redeems an answered login for the browser that holds the secret. A single SQL function checks that the key still
 * belongs to its user, ends the login and opens the browser session, so this succeeds only once
 * (docs/protocol.md#42-redemption).
 */
export async function redeemLogin(
  database: Database,
  logins: RedemptionFunction,
  { sid, ...redemption }: Redemption,
): Promise<RedemptionOutcome> {
  const redeemed = await retryOnConflict(() =>
    call<{ userId: number | null; unconfirmed: boolean }>(database, logins.function, {
      ...logins.parameters,
      ...redemption,
      loginSid: sid,
      answeredSince: addSeconds(redemption.now, -LOGIN_SESSION_IDLE_SECONDS),
      deadline: statementDeadline(redemption.now),
    }),
  );
  if (redeemed?.userId) return { userId: redeemed.userId };
  return redeemed?.unconfirmed ? "unconfirmed" : null;
}

/** A page's random identifier of one sign-in, which the page repeats with each attempt: 128 bits or more in hex. */
const ATTEMPT = /^[0-9a-f]{32,64}$/;

/** The browser session of a login that was just redeemed. */
export type RedeemedLogin = { userId: number; browserSessionId: string };

/** How the logins of a flow are redeemed. */
export type RedeemableFlow = {
  flow: LoginFlow;
  logins: RedemptionFunction;
  /** Runs before the login is redeemed. If it throws, the login is not redeemed. */
  beforeRedemption?: (
    login: Pick<Redemption, "sid" | "browserHash" | "browserSessionId" | "userAgent">,
  ) => Promise<void>;
};

/** The logins at the site's own endpoints. Their user was found or created when the wallet answered. */
export const SITE_LOGIN_FLOW: RedeemableFlow = {
  flow: "login",
  logins: redemptionFunctionFor("login"),
};

/** The body and the headers of a page's request to sign its browser in. */
export type SignInRequest = {
  sid: string;
  /** The page's random identifier of this sign-in. A request with the same identifier gets the same session again. */
  attempt?: string | undefined;
  headers: Pick<Headers, "get">;
  requestId: string;
};

/**
 * Redeems an authenticated login for a new browser session: once, and only for the browser that started it
 * (docs/protocol.md#42-redemption). The sid only identifies the login, and the cookie is the proof. An approval is
 * redeemed in the same way, and ends the session that requested it.
 * @param holderConfirms whether the holder of an added key has seen the account that the key signs in to and has
 * confirmed the sign-in
 * @returns `unconfirmed` if the holder of an added key must confirm it first; null, without a reason, if this browser
 * has nothing to redeem
 */
export async function redeemFromRequest(
  core: LoginCore,
  { flow, logins, beforeRedemption }: RedeemableFlow,
  { sid, attempt, headers, requestId }: SignInRequest,
  holderConfirms = false,
): Promise<RedeemedLogin | "unconfirmed" | null> {
  if (!isSid(sid)) return null;
  const notSignedIn = (reason: LoginReason) => {
    core.onStep({ requestId, flow, sid, outcome: "not_signed_in", reason });
    return null;
  };
  const cookies = headers.get("cookie");
  const secret = readBindingSecret(cookies, core.origin);
  if (!secret) return notSignedIn("no_cookie");
  const browserSessionId = deriveBrowserSessionId(sid, secret, attempt);
  const currentSessionId = (await readCurrentClaims(core, cookies))?.browserSessionId ?? null;
  const login = { sid, browserSessionId, browserHash: hashSecret(secret), userAgent: userAgentOf(headers) };
  await beforeRedemption?.(login);
  const now = core.now();
  const expiresAt = addSeconds(now, BROWSER_SESSION_SECONDS);
  const redemption = { ...login, currentSessionId, now, holderConfirms, expiresAt };
  const outcome = await redeemLogin(core.database, logins, redemption);
  if (outcome === null) {
    return (await findRepeatedSession(core, browserSessionId)) ?? notSignedIn("nothing_to_redeem");
  }
  if (outcome === "unconfirmed") {
    notSignedIn("added_key");
    return outcome;
  }
  core.onStep({ requestId, flow, sid, outcome: "signed_in" });
  return { userId: outcome.userId, browserSessionId };
}

/**
 * Returns the id of the browser session that a sign-in will open. A sign-in with an `attempt` gets the same id each
 * time. Finding that session requires the sid, the secret and the attempt, which only the browser that opened it has.
 */
export function deriveBrowserSessionId(
  sid: string,
  secret: string | null,
  attempt: string | undefined,
): string {
  if (!secret || attempt === undefined || !ATTEMPT.test(attempt)) return randomUUID();
  return deriveUuid(JSON.stringify([sid, secret, attempt]));
}

/**
 * Finds the session that the same attempt opened a moment ago, for a browser that did not receive the response. Returns
 * null if there is none.
 */
export async function findRepeatedSession(core: LoginCore, browserSessionId: string) {
  const now = core.now();
  const session = await findBrowserSession(core.database, browserSessionId, now);
  if (!session || session.createdAt < addSeconds(now, -SIGN_IN_REPEAT_SECONDS)) return null;
  return { userId: session.userId, browserSessionId };
}
