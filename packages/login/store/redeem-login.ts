import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { type Database, deadlineOf, retryOnConflict } from "./database.ts";
import { call, type SqlFunction, sqlFunction } from "./sql-function.ts";

/** The input of a redemption: the browser that has the secret, and the browser session that it gets. */
export type Redemption = {
  now: Date;
  sid: string;
  browserHash: Uint8Array;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
  /** The browser session that the browser has now. The session that added a key is not asked about it. */
  currentSessionId: string | null;
  /** The holder of an added key has seen which account it opens, and continues. */
  continues: boolean;
};

/** The signed-in user; `stopped` when the key's holder is asked first; null when there is nothing to redeem. */
export type RedemptionOutcome = { userId: number } | "stopped" | null;

/** The parameters of a SQL function that redeems logins. */
const PARAMETERS = [
  "loginSid",
  "browserHash",
  "browserSessionId",
  "userAgent",
  "currentSessionId",
  "continues",
  "now",
  "answeredSince",
  "expiresAt",
  "deadline",
] as const;

/** How the logins of a flow are redeemed: a SQL function, and its parameters that are the same for all of them. */
export type RedeemLogins = {
  function: SqlFunction<string>;
  parameters: Readonly<Record<string, unknown>>;
};

const REDEEM = sqlFunction("redeem", ["flow", "registers", ...PARAMETERS]);

/**
 * Redeems the logins of `login_session` (`sql/redeem.sql`).
 * @param registers whether an address without a user gets one
 */
export const redeemOf = (flow: "login" | "fast", registers = false): RedeemLogins => ({
  function: REDEEM,
  parameters: { flow, registers },
});

/** Redeems logins that a SQL function with the same parameters finds elsewhere. */
export const redeemBy = (name: string): RedeemLogins => ({
  function: sqlFunction(name, PARAMETERS),
  parameters: {},
});

/**
 * Redeems an answered login for the browser that holds the secret, once: one function checks that the key is still
 * its user's, ends the login and opens the browser session (docs/protocol.md#42-redemption).
 */
export async function redeemLogin(
  database: Database,
  logins: RedeemLogins,
  { sid, ...redemption }: Redemption,
): Promise<RedemptionOutcome> {
  const redeemed = await retryOnConflict(() =>
    call<{ userId: number | null; stopped: boolean }>(database, logins.function, {
      ...logins.parameters,
      ...redemption,
      loginSid: sid,
      answeredSince: addSeconds(redemption.now, -LOGIN_SESSION_IDLE_SECONDS),
      deadline: deadlineOf(redemption.now),
    }),
  );
  if (redeemed?.userId) return { userId: redeemed.userId };
  return redeemed?.stopped ? "stopped" : null;
}
