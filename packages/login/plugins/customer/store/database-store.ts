import {
  computeStatementDeadline,
  type Database,
  retryOnConflict,
  type Statement,
} from "../../../database/database.ts";
import {
  addSeconds,
  LOGIN_SESSION_IDLE_SECONDS,
  LOGIN_SESSION_RETENTION_SECONDS,
} from "../../../protocol/numbers.ts";
import { hashSecret } from "../../../server/random.ts";
import type { RedeemableFlow } from "../../../server/redeem-login.ts";
import { createCustomRedemptionFunction } from "../../../server/redeem-login.ts";
import { endSessionsOfUndoneLogin } from "../../../server/undo-login.ts";
import type { HostedStore, StoredHostedLogin } from "./hosted-store.ts";

const START: Statement = {
  name: "start-hosted-login",
  text: `WITH browser AS (
    -- The same cookie also binds logins at the site's own endpoints.
    SELECT EXISTS (SELECT 1 FROM hosted_login WHERE browser_hash = $3::bytea)
      OR EXISTS (SELECT 1 FROM login_session WHERE browser_hash = $3::bytea) AS known
  ), started AS (
    INSERT INTO hosted_login (session_id, browser_hash, created_at)
    SELECT $2::text, CASE WHEN known THEN $3::bytea ELSE $4::bytea END, $1::timestamptz FROM browser
    -- The session's event may have arrived before this statement.
    ON CONFLICT (session_id) DO UPDATE SET browser_hash = EXCLUDED.browser_hash
      WHERE hosted_login.browser_hash IS NULL
    RETURNING 1
  )
  SELECT known AS "keepsSecret", EXISTS (SELECT 1 FROM started) AS started FROM browser`,
};

const FIND: Statement = {
  name: "find-hosted-login",
  text: `SELECT authenticated_at AS "authenticatedAt", undone_at IS NOT NULL AS "isUndone" FROM hosted_login
    WHERE session_id = $1::text AND browser_hash = $2::bytea`,
};

const ANSWER: Statement = {
  name: "answer-hosted-login",
  text: `WITH answered AS (
    INSERT INTO hosted_login (session_id, created_at, event_id, public_key, authenticated_at)
    SELECT $2::text, $1::timestamptz, $3::text, $4::text, $5::timestamptz
    WHERE NOT EXISTS (SELECT 1 FROM hosted_login WHERE event_id = $3::text)
    ON CONFLICT (session_id) DO UPDATE
      SET event_id = $3::text, public_key = $4::text, authenticated_at = $5::timestamptz
      WHERE hosted_login.event_id IS NULL
    RETURNING browser_hash IS NOT NULL AS bound
  )
  -- The waiting page may be connected to another process.
  SELECT bound, pg_notify('login_session', json_build_object('sid', $2::text)::text) AS notified FROM answered`,
};

const REDEEM: Statement = {
  name: "redeem-hosted-login-to-key",
  text: `WITH redeemed AS (
    UPDATE hosted_login SET redeemed_at = $1::timestamptz
    WHERE session_id = $2::text AND browser_hash = $3::bytea AND authenticated_at > $4::timestamptz
      AND redeemed_at IS NULL AND statement_timestamp() < $5::timestamptz
    RETURNING public_key
  )
  SELECT public_key AS "publicKey" FROM redeemed`,
};

// An undone login counts as redeemed, so that it can no longer be redeemed. The event that reports the login's answer
// can still arrive afterwards.
const UNDO: Statement = {
  name: "undo-hosted-login-of-customer",
  text: `WITH undone AS (
    INSERT INTO hosted_login (session_id, created_at, redeemed_at, undone_at)
    VALUES ($2::text, $1::timestamptz, $1::timestamptz, $1::timestamptz)
    ON CONFLICT (session_id) DO UPDATE
      SET undone_at = $1::timestamptz, redeemed_at = COALESCE(hosted_login.redeemed_at, $1::timestamptz)
      WHERE hosted_login.undone_at IS NULL
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM undone`,
};

// The user's history records an undo only once.
const FIND_SIGNED_IN: Statement = {
  name: "find-user-of-undone-hosted-login",
  text: `WITH signed_in AS (
    SELECT sid, user_id, credential, user_agent FROM login_event
    WHERE sid = $1::text AND kind = 'session_created' AND user_id IS NOT NULL
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent)
    SELECT $2::timestamptz, 'undone', sid, user_id, credential, user_agent FROM signed_in
    WHERE NOT EXISTS (
      SELECT 1 FROM login_event WHERE sid = $1::text AND kind::text = 'undone' AND user_id IS NOT NULL
    )
  )
  SELECT user_id AS "userId" FROM signed_in`,
};

const FORGET: Statement = {
  name: "forget-hosted-logins",
  text: `WITH forgotten AS (
    DELETE FROM hosted_login WHERE browser_hash = $1::bytea AND redeemed_at IS NULL RETURNING 1
  )
  SELECT count(*)::int AS count FROM forgotten`,
};

const PRUNE: Statement = {
  name: "prune-hosted-logins",
  text: `WITH pruned AS (DELETE FROM hosted_login WHERE created_at < $1::timestamptz RETURNING 1)
  SELECT count(*)::int AS count FROM pruned`,
};

export function databaseStore(database: Database): HostedStore {
  return {
    async start({ now, sid, browserHash, newBrowserHash }) {
      const values = [now, sid, browserHash, newBrowserHash];
      const [row] = await database.run<{ keepsSecret: boolean; started: boolean }>(START, values);
      if (!row?.started) throw new Error("this session belongs to a browser already");
      return { keepsSecret: row.keepsSecret };
    },
    async find(sid, browserHash) {
      const [row] = await database.run<StoredHostedLogin>(FIND, [sid, browserHash]);
      return row ? { authenticatedAt: row.authenticatedAt, isUndone: row.isUndone } : null;
    },
    async answer({ now, sid, eventId, publicKey, authenticatedAt }) {
      const values = [now, sid, eventId, publicKey, authenticatedAt];
      const [row] = await retryOnConflict(() => database.run<{ bound: boolean }>(ANSWER, values));
      if (!row) return "repeated";
      return row.bound ? "answered" : "early";
    },
    async redeem({ now, sid, browserHash }) {
      const answeredSince = addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
      const values = [now, sid, browserHash, answeredSince, computeStatementDeadline(now)];
      return (await database.run<{ publicKey: string }>(REDEEM, values))[0] ?? null;
    },
    async undo({ now, sid }) {
      const undone = await retryOnConflict(() => database.run<{ count: number }>(UNDO, [now, sid]));
      for (const { userId } of await database.run<{ userId: number }>(FIND_SIGNED_IN, [sid, now])) {
        await endSessionsOfUndoneLogin(database, { now, sid, userId, undoHash: hashSecret(sid) });
      }
      return undone[0]?.count ? "undone" : "repeated";
    },
    async forget(browserHash) {
      await database.run(FORGET, [browserHash]);
    },
    async prune(now) {
      await database.run(PRUNE, [addSeconds(now, -LOGIN_SESSION_RETENTION_SECONDS)]);
    },
  };
}

/** For a site that uses the login's own browser sessions. Creates a user for a key that has none. */
export const HOSTED_LOGIN_FLOW: RedeemableFlow = {
  flow: "hosted",
  logins: createCustomRedemptionFunction("redeem_hosted"),
};
