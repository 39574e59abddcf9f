import "server-only";
import { LOGIN_SESSION_IDLE_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { againOnUniqueViolation } from "#lib/core/database-error.ts";
import { type Prepared, runPrepared } from "#lib/core/db.ts";
import { begunInTime } from "./begun-in-time.ts";

/** The end of an answered login, in every flow: the signed-in browser that is made of it. One statement. */

/** What a login is redeemed with: the browser that holds the secret, and the browser session that it gets. */
export type Redemption = {
  now: Date;
  sid: string;
  browserHash: Uint8Array<ArrayBuffer>;
  browserSessionId: string;
  expiresAt: Date;
  userAgent: string | null;
  /** The browser session that the browser has now, if any: the one that added a key is not asked about it. */
  presentSessionId: string | null;
  /** The holder of an added key has seen which account it opens, and goes on. */
  continues: boolean;
};

/** Who was signed in; `stopped`: nobody yet, the key's holder is asked first. Null: there is nothing to redeem. */
export type RedemptionOutcome = { userId: number } | "stopped" | null;

/** What tells the flows' logins apart. */
type RedeemedLogins = {
  /** A table, and its columns by the names that `login_session` has for them. */
  table: "login_session" | "demo_login";
  sid: "sid" | "session_id";
  credential: "credential" | "public_key";
  /** Null where a login does not say whose key answered it. */
  userId: "user_id" | null;
  deviceInfo: "device_info" | null;
  /** Which of the table's answered logins sign in. */
  condition: string;
  /** What a credential without a user becomes. */
  kind: "public_key" | "address";
};

function redeeming(name: string, login: RedeemedLogins): Prepared {
  const { table, sid, credential, kind } = login;
  const userId = login.userId ?? "NULL::int";
  const text = `
  WITH answered AS (
    SELECT ${sid} AS sid, ${credential} AS credential, ${userId} AS user_id
    FROM ${table}
    WHERE ${sid} = $2::text AND browser_hash = $3::bytea AND authenticated_at > $4::timestamptz
      AND redeemed_at IS NULL AND ${login.condition} AND ${begunInTime("$1")}
  ), held AS (
    -- The key must still be the user's. Locked before the login is, as a removal does: one of the two waits, and
    -- either the key is gone here, or the removal ends the session that is opened here.
    SELECT held.user_id,
      held.added_by_session IS NOT NULL AND NOT $9::boolean AND NOT EXISTS (
        SELECT 1 FROM browser_session
        WHERE id = held.added_by_session AND id = $8::uuid AND expires_at > $1::timestamptz
      ) AS stops
    FROM credential AS held JOIN answered ON held.value = answered.credential
      AND (answered.user_id IS NULL OR answered.user_id = held.user_id)
    FOR KEY SHARE OF held
  ), target AS (
    SELECT login.${sid} AS sid, answered.credential, answered.user_id
    FROM ${table} AS login JOIN answered ON login.${sid} = answered.sid
    WHERE login.redeemed_at IS NULL AND (SELECT count(*) FROM held WHERE stops) = 0
    FOR UPDATE OF login
  ), new_user AS (
    INSERT INTO user_account (created_at)
    SELECT $1::timestamptz FROM target
    WHERE $10::boolean AND user_id IS NULL AND NOT EXISTS (SELECT 1 FROM held)
    RETURNING id
  ), new_credential AS (
    INSERT INTO credential (id, user_id, kind, value, created_at)
    SELECT gen_random_uuid(), new_user.id, '${kind}', target.credential, $1::timestamptz FROM new_user, target
  ), redeemed AS (
    UPDATE ${table} AS login
    SET redeemed_at = $1::timestamptz${login.userId ? `, ${login.userId} = signed_in.user_id` : ""}
    FROM target, (SELECT user_id FROM held UNION ALL SELECT id FROM new_user) AS signed_in
    WHERE login.${sid} = target.sid
    RETURNING signed_in.user_id, target.credential, ${login.deviceInfo ?? "NULL::jsonb"} AS device_info
  ), continued AS (
    UPDATE credential SET added_by_session = NULL FROM redeemed
    WHERE $9::boolean AND credential.value = redeemed.credential AND credential.added_by_session IS NOT NULL
  ), opened AS (
    INSERT INTO browser_session
      (id, user_id, credential, device_info, user_agent, created_at, last_seen_at, expires_at)
    SELECT $5::uuid, user_id, credential, device_info, $6::text, $1::timestamptz, $1::timestamptz, $7::timestamptz
    FROM redeemed
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, device_info, user_agent)
    SELECT $1::timestamptz, 'session_created', $2::text, user_id, credential, device_info, $6::text FROM redeemed
  )
  SELECT (SELECT user_id FROM redeemed) AS user_id, EXISTS (SELECT 1 FROM held WHERE stops) AS stopped`;
  return { name, text };
}

const STATEMENTS = {
  integrator: redeeming("redeem-login", {
    table: "login_session",
    sid: "sid",
    credential: "credential",
    userId: "user_id",
    deviceInfo: "device_info",
    condition:
      "flow = 'integrator' AND status = 'authenticated' AND adds_to_session IS NULL AND approves_session IS NULL",
    kind: "public_key",
  }),
  fast: redeeming("redeem-fast-login", {
    table: "login_session",
    sid: "sid",
    credential: "credential",
    userId: "user_id",
    deviceInfo: null,
    condition:
      "flow = 'fast' AND status = 'authenticated' AND adds_to_session IS NULL AND approves_session IS NULL",
    kind: "address",
  }),
  hosted: redeeming("redeem-demo-login", {
    table: "demo_login",
    sid: "session_id",
    credential: "public_key",
    userId: null,
    deviceInfo: null,
    condition: "true",
    kind: "public_key",
  }),
};

/** The flows whose logins are redeemed here; `hosted` is the demo integrator's. */
export type RedeemedFlow = keyof typeof STATEMENTS;

/**
 * Redeems an answered login for a signed-in browser, once, for the browser that holds the secret: one statement
 * checks that the key is still its user's, ends the login and opens the browser session (contract 3). A key that was
 * added stops at its holder's decision.
 * @param createsUser whether a key or address that nobody holds gets a user
 */
export async function redeemLogin(
  flow: RedeemedFlow,
  redemption: Redemption,
  createsUser: boolean,
): Promise<RedemptionOutcome> {
  const { now, sid, browserHash, browserSessionId, userAgent, expiresAt } = redemption;
  const since = plusSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
  const { presentSessionId, continues } = redemption;
  const values = [now, sid, browserHash, since, browserSessionId, userAgent, expiresAt];
  const run = () =>
    runPrepared<{ user_id: number | null; stopped: boolean }>(STATEMENTS[flow], [
      ...values,
      presentSessionId,
      continues,
      createsUser,
    ]);
  const [row] = await againOnUniqueViolation(run);
  if (row?.user_id) return { userId: row.user_id };
  return row?.stopped ? "stopped" : null;
}
