import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../../database/database.ts";
import { callSqlFunction, sqlFunction } from "../../../database/sql-function.ts";
import type { DeviceInfo } from "../../../protocol/messages.ts";
import { addSeconds } from "../../../protocol/numbers.ts";
import type { Intent } from "../../../protocol/qr-payload.ts";
import type { StoredChallenge } from "../../../server/check-response.ts";
import { FAST_CHALLENGE_LIFETIME_SECONDS, FAST_CHALLENGE_LIMIT } from "../protocol.ts";

const FIND_CHALLENGE = sqlFunction("find_fast_challenge", ["loginSid", "challenge", "now", "challengesKept"]);

export type StoredFastChallenge = StoredChallenge & { intent: Intent | null };

/** Finds the exact text (docs/protocol.md#6-fast-login). */
export async function findFastChallenge(
  database: Database,
  { now, sid, text }: { now: Date; sid: string; text: string },
): Promise<StoredFastChallenge | null> {
  const values = { loginSid: sid, challenge: text, now, challengesKept: FAST_CHALLENGE_LIMIT };
  return callSqlFunction<StoredFastChallenge>(database, FIND_CHALLENGE, values);
}

const ACCEPT = sqlFunction("accept_fast", [
  "loginSid",
  "challenge",
  "address",
  "deviceInfo",
  "now",
  "issuedSince",
  "deadline",
]);

/**
 * Of any number of concurrent responses, exactly one succeeds. For an approval, the address must belong to the
 * requesting user. For a recovery, it must not belong to any user.
 * @param input.address in canonical form
 * @returns `challenge_used` if the challenge is already spent or too old, or its session is already authenticated
 */
export async function spendFastChallenge(
  database: Database,
  input: { now: Date; sid: string; challenge: string; address: string; deviceInfo: DeviceInfo | null },
): Promise<"spent" | "challenge_used" | "foreign_key"> {
  const { now, sid, challenge, address } = input;
  const issuedSince = addSeconds(now, -FAST_CHALLENGE_LIFETIME_SECONDS);
  const deviceInfo = input.deviceInfo && JSON.stringify(input.deviceInfo);
  const response = {
    loginSid: sid,
    challenge,
    address,
    deviceInfo,
    now,
    issuedSince,
    deadline: computeStatementDeadline(now),
  };
  const row = await retryOnConflict(() =>
    callSqlFunction<{ spent: boolean; keyNotAllowed: boolean }>(database, ACCEPT, response),
  );
  if (row?.spent) return "spent";
  return row?.keyNotAllowed ? "foreign_key" : "challenge_used";
}

const FIND_ADDRESS: Statement = {
  name: "find-fast-address",
  text: `SELECT 1 FROM login_session WHERE sid = $1::text AND flow = 'fast' AND status = 'authenticated'`,
};

export async function hasFastAddress(database: Database, sid: string): Promise<boolean> {
  return (await database.run(FIND_ADDRESS, [sid])).length === 1;
}

const IS_UNKNOWN: Statement = {
  name: "is-fast-address-unknown",
  text: `SELECT 1 FROM login_session AS session
    WHERE sid = $1::text AND flow = 'fast' AND browser_hash = $2::bytea AND status = 'authenticated'
      AND redeemed_at IS NULL
      AND intent IS NULL
      AND NOT EXISTS (SELECT 1 FROM credential WHERE value = session.credential)`,
};

/** Returns whether this browser could redeem the session if the session's address belonged to a user. */
export async function isFastAddressUnknown(
  database: Database,
  sid: string,
  browserHash: Uint8Array,
): Promise<boolean> {
  return (await database.run(IS_UNKNOWN, [sid, browserHash])).length === 1;
}
