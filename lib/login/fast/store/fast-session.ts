import type { Intent } from "../../protocol/qr-payload.ts";
import { addSeconds } from "../../protocol/time.ts";
import {
  ASKER_LIVES,
  type FoundChallenge,
  INTENT_NAME,
  joinAsker,
  NOT_ALLOWED,
  spendStatement,
} from "../../store/accept-response.ts";
import { type Database, retryOnConflict, statement } from "../../store/database.ts";
import { redeemStatements, SIGNS_IN } from "../../store/redeem-login.ts";
import { FAST_CHALLENGE_LIFETIME_SECONDS, FAST_CHALLENGES_KEPT } from "../protocol.ts";

/** The statements of fast logins, where they differ from those of other logins. */

const FIND_CHALLENGE = statement({
  name: "find-fast-challenge",
  select: `SELECT challenge.sid, challenge.issued_at AS "issuedAt",
      ${INTENT_NAME} AS intent,
      -- One that four newer have followed is off the list, even if two requests at once have left it in the table.
      session.status = 'authenticated' OR (
        SELECT count(*) FROM challenge AS newer
        WHERE newer.sid = challenge.sid AND newer.issued_at > challenge.issued_at
      ) >= ${FAST_CHALLENGES_KEPT} AS used
    FROM challenge JOIN login_session AS session USING (sid) ${joinAsker("$3")}
    WHERE challenge.text = $2::text AND challenge.sid = $1::text AND session.flow = 'fast' AND ${ASKER_LIVES}`,
});

export type FoundFastChallenge = FoundChallenge & { intent: Intent | null };

/** Finds a challenge in a session's list by its exact text (docs/protocol.md#6-fast-login). */
export async function findFastChallenge(
  database: Database,
  { now, sid, text }: { now: Date; sid: string; text: string },
): Promise<FoundFastChallenge | null> {
  return (await database.run<FoundFastChallenge>(FIND_CHALLENGE, [sid, text, now]))[0] ?? null;
}

const SPEND = spendStatement({
  name: "spend-fast-challenge",
  found: `SELECT challenge.sid, challenge.issued_at, COALESCE(holder.user_id, recovery.user_id) AS user_id,
      ${NOT_ALLOWED} AS not_allowed
    FROM challenge JOIN login_session AS session USING (sid) LEFT JOIN credential AS holder ON holder.value = $2::text
      ${joinAsker("$3")}
    WHERE challenge.text = $1::text AND challenge.sid = $5::text AND session.flow = 'fast' AND ${ASKER_LIVES}`,
  sets: ", user_id = found.user_id",
  condition: "NOT found.not_allowed",
  selected: 'found.not_allowed AS "keyNotAllowed"',
});

/**
 * Spends a challenge and stores the address on its session: one statement, so that of any number of concurrent
 * responses exactly one succeeds. If the session asks for an approval, only an address of that user spends it; if it
 * recovers an account, only an address without a user.
 * @param input.address in canonical form
 * @returns `challenge_used` when the challenge was spent or too old, or its session authenticated, by then
 */
export async function spendFastChallenge(
  database: Database,
  input: { now: Date; sid: string; challenge: string; address: string },
): Promise<"spent" | "challenge_used" | "foreign_key"> {
  const { now, sid, challenge, address } = input;
  const issuedSince = addSeconds(now, -FAST_CHALLENGE_LIFETIME_SECONDS);
  const values = [challenge, address, now, issuedSince, sid];
  const [row] = await retryOnConflict(() =>
    database.run<{ spent: boolean; keyNotAllowed: boolean }>(SPEND, values),
  );
  if (row?.spent) return "spent";
  return row?.keyNotAllowed ? "foreign_key" : "challenge_used";
}

const FIND_ADDRESS = statement({
  name: "find-fast-address",
  select: `SELECT 1 FROM login_session WHERE sid = $1::text AND flow = 'fast' AND status = 'authenticated'`,
  durable: false,
});

/** Whether a session has an address; false for an unknown session. */
export async function hasFastAddress(database: Database, sid: string): Promise<boolean> {
  return (await database.run(FIND_ADDRESS, [sid])).length === 1;
}

/** Redeems a fast login: signs in the user who holds the address. */
export const REDEEM_FAST_LOGIN = redeemFastLogin("redeem-fast-login", null);
/** As `REDEEM_FAST_LOGIN`, and creates the user if there is none. */
export const REDEEM_OR_REGISTER = redeemFastLogin("redeem-fast-login-or-register", "address");

function redeemFastLogin(name: string, creates: "address" | null) {
  return redeemStatements({
    ...{ name, creates, table: "login_session" },
    condition: `flow = 'fast' AND status = 'authenticated' AND ${SIGNS_IN}`,
    renews: false,
  });
}

const IS_UNKNOWN = statement({
  name: "is-fast-address-unknown",
  select: `SELECT 1 FROM login_session AS session
    WHERE sid = $1::text AND flow = 'fast' AND browser_hash = $2::bytea AND status = 'authenticated'
      AND redeemed_at IS NULL AND ${SIGNS_IN}
      AND NOT EXISTS (SELECT 1 FROM credential WHERE value = session.credential)`,
});

/** True when this browser may redeem the session, but its address has no user. */
export async function isFastAddressUnknown(
  database: Database,
  sid: string,
  browserHash: Uint8Array,
): Promise<boolean> {
  return (await database.run(IS_UNKNOWN, [sid, browserHash])).length === 1;
}
