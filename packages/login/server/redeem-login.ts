import { randomUUID } from "node:crypto";
import { computeStatementDeadline, type Database, retryOnConflict } from "../database/database.ts";
import { callSqlFunction, type SqlFunction, sqlFunction } from "../database/sql-function.ts";
import {
  addSeconds,
  BROWSER_SESSION_SECONDS,
  LOGIN_SESSION_IDLE_SECONDS,
  SIGN_IN_REPEAT_SECONDS,
} from "../protocol/numbers.ts";
import { isSid } from "../protocol/qr-payload.ts";
import { findBrowserSession, readTokenClaims } from "./browser-session.ts";
import { readBindingSecret } from "./cookies.ts";
import type { LoginCore, LoginFailureReason, LoginFlow } from "./core.ts";
import { deriveUuid, hashSecret } from "./random.ts";
import { readUserAgent } from "./web-request.ts";

/** The input of a redemption: the browser that has the secret, and the browser session that will be opened for it. */
export type Redemption = {
  now: Date;
  sid: string;
  browserHash: Uint8Array;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
  /** The current browser session. If this session added the key, the key's holder need not consent. */
  currentSessionId: string | null;
  /** Whether the holder of an added key has seen the account and confirmed the sign-in. */
  holderConfirms: boolean;
};

/**
 * The user who is signed in; `unconfirmed` if the holder of an added key must first consent; null if there is nothing
 * to redeem.
 */
export type RedemptionOutcome = { userId: number } | "unconfirmed" | null;

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

/** The SQL function that redeems a flow's logins, and the constant parameters of that function. */
export type RedemptionFunction = {
  function: SqlFunction<string>;
  parameters: Readonly<Record<string, unknown>>;
};

const REDEEM = sqlFunction("redeem", ["flow", "registers", ...PARAMETERS]);

/**
 * Returns the function that redeems logins in the table `login_session` (`sql/redeem.sql`).
 * @param registers whether to create a user for an address that has none
 */
export const getRedemptionFunction = (flow: "login" | "fast", registers = false): RedemptionFunction => ({
  function: REDEEM,
  parameters: { flow, registers },
});

/** Returns the function that redeems logins in another table: a SQL function that has the same parameters. */
export const createCustomRedemptionFunction = (name: string): RedemptionFunction => ({
  function: sqlFunction(name, PARAMETERS),
  parameters: {},
});

/**
 * Redeems an answered login for the browser that has the secret. A single SQL function checks that the key still
 * belongs to its user, ends the login and opens the browser session, so that a login can be redeemed only once
 * (docs/protocol.md#42-redemption).
 */
export async function redeemLogin(
  database: Database,
  logins: RedemptionFunction,
  { sid, ...redemption }: Redemption,
): Promise<RedemptionOutcome> {
  const redeemed = await retryOnConflict(() =>
    callSqlFunction<{ userId: number | null; unconfirmed: boolean }>(database, logins.function, {
      ...logins.parameters,
      ...redemption,
      loginSid: sid,
      answeredSince: addSeconds(redemption.now, -LOGIN_SESSION_IDLE_SECONDS),
      deadline: computeStatementDeadline(redemption.now),
    }),
  );
  if (redeemed?.userId) return { userId: redeemed.userId };
  return redeemed?.unconfirmed ? "unconfirmed" : null;
}

/**
 * The random identifier that a page generates for a sign-in: at least 128 bits in hex. The page sends the same
 * identifier with each attempt.
 */
const ATTEMPT = /^[0-9a-f]{32,64}$/;

export type RedeemedLogin = { userId: number; browserSessionId: string };

export type RedeemableFlow = {
  flow: LoginFlow;
  logins: RedemptionFunction;
  /** Runs before the login is redeemed. If this function throws, the login is not redeemed. */
  beforeRedemption?: (
    login: Pick<Redemption, "sid" | "browserHash" | "browserSessionId" | "userAgent">,
  ) => Promise<void>;
};

/** The flow of the logins at the site's own endpoints. The user is found or created when the wallet answers. */
export const SITE_LOGIN_FLOW: RedeemableFlow = {
  flow: "login",
  logins: getRedemptionFunction("login"),
};

export type SignInRequest = {
  sid: string;
  /**
   * The random identifier that the page generated for this sign-in. A repeated request with the same identifier gets
   * the same session.
   */
  attempt?: string | undefined;
  headers: Pick<Headers, "get">;
  requestId: string;
};

/**
 * Redeems an authenticated login for a new browser session, only once and only for the browser that started it
 * (docs/protocol.md#42-redemption). The cookie proves that this browser started the login, and the sid only identifies
 * the login. Approvals are redeemed in the same way, and end the session that requested them.
 * @param holderConfirms whether the holder of an added key has seen the account and confirmed the sign-in
 * @returns `unconfirmed` if the holder of an added key must first consent; null if this browser has nothing to redeem
 */
export async function redeemFromRequest(
  core: LoginCore,
  { flow, logins, beforeRedemption }: RedeemableFlow,
  { sid, attempt, headers, requestId }: SignInRequest,
  holderConfirms = false,
): Promise<RedeemedLogin | "unconfirmed" | null> {
  if (!isSid(sid)) return null;
  const notSignedIn = (reason: LoginFailureReason) => {
    core.onStep({ requestId, flow, sid, outcome: "not_signed_in", reason });
    return null;
  };
  const cookies = headers.get("cookie");
  const secret = readBindingSecret(cookies, core.origin);
  if (!secret) return notSignedIn("no_cookie");
  const browserSessionId = deriveBrowserSessionId(sid, secret, attempt);
  const currentSessionId = (await readTokenClaims(core, cookies))?.browserSessionId ?? null;
  const login = { sid, browserSessionId, browserHash: hashSecret(secret), userAgent: readUserAgent(headers) };
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
 * Returns the id of the browser session that a sign-in will open. With an `attempt`, the id is the same each time.
 * Finding that session again requires the sid, the secret and the attempt. Only the browser that opened the session has
 * all three.
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
 * Returns the session that the same attempt has just opened, for a browser that did not receive the response, or null
 * if there is none.
 */
export async function findRepeatedSession(core: LoginCore, browserSessionId: string) {
  const now = core.now();
  const session = await findBrowserSession(core.database, browserSessionId, now);
  if (!session || session.createdAt < addSeconds(now, -SIGN_IN_REPEAT_SECONDS)) return null;
  return { userId: session.userId, browserSessionId };
}
