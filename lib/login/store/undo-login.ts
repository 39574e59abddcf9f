import { UNDO_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import {
  type Database,
  LOGIN_CHANNEL,
  retryOnConflict,
  type Statement,
  startedInTime,
  statement,
} from "./database.ts";

export type Undo = { now: Date; sid: string; undoHash: Uint8Array };

/** A login that is taken back; its user is null if the login is a customer's to redeem. */
export type UndoneLogin = {
  flow: "login" | "fast" | "hosted";
  userId: number | null;
  isFirst: boolean;
  /** Whether a recovery was cancelled that waited for the key that answered. */
  cancelsRecovery: boolean;
};

/** What differs between kinds of login when one is taken back. */
type UndoneLogins = {
  /** The statement's name. */
  name: string;
  /** Which logins it takes back. */
  condition: string;
  /** Further parts of the statement that write, for the row of `undone`. */
  beside?: string;
  /** Further columns to select. */
  selected?: string;
};

/**
 * The statement that takes a login back. The login counts as redeemed from now on, so that no statement redeems it. A
 * recovery that chose its key is cancelled, unless it has taken effect; the code of that recovery still works.
 * `undoValues` gives $1 to $4.
 */
export const undoStatement = ({ name, condition, beside = "", selected = "NULL" }: UndoneLogins): Statement =>
  statement({
    name,
    with: `recovering AS (
    -- Locked before the login, as where its key is chosen and where that takes effect.
    SELECT recovery.id, recovery.credential, takes_effect_at, finished_at, cancelled_at
    FROM recovery JOIN login_session AS login ON recovery.id = login.recovers
    WHERE login.sid = $2::text AND login.undo_hash = $3::bytea
    FOR UPDATE OF recovery
  ), login AS (
    SELECT sid, flow, user_id, credential, user_agent, undone_at FROM login_session
    WHERE sid = $2::text AND undo_hash = $3::bytea AND authenticated_at > $4::timestamptz AND ${condition}
      AND (SELECT count(*) FROM recovering) >= 0 AND ${startedInTime("$1")}
    FOR UPDATE
  ), undone AS (
    UPDATE login_session SET undone_at = $1::timestamptz, redeemed_at = COALESCE(redeemed_at, $1::timestamptz)
    FROM login WHERE login_session.sid = login.sid AND login.undone_at IS NULL
    RETURNING login_session.sid
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent)
    SELECT $1::timestamptz, 'undone', sid, user_id, credential, user_agent
    FROM login JOIN undone USING (sid)
  ), cancelled AS (
    -- By what the lock has found, which may be newer than what this statement sees.
    UPDATE recovery SET cancelled_at = $1::timestamptz FROM recovering, login JOIN undone USING (sid)
    WHERE recovery.id = recovering.id AND recovering.credential = login.credential
      AND recovering.takes_effect_at IS NOT NULL
      AND recovering.finished_at IS NULL AND recovering.cancelled_at IS NULL
    RETURNING recovery.user_id, login.credential, recovery.user_agent
  ), cancelling_logged AS (
    INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
    SELECT $1::timestamptz, 'recovery_cancelled', user_id, 'undone', credential, user_agent FROM cancelled
  )${beside}`,
    select: `SELECT login.flow, login.user_id AS "userId", undone.sid IS NOT NULL AS "isFirst",
      EXISTS (SELECT 1 FROM cancelled) AS "cancelsRecovery",
      CASE WHEN undone.sid IS NOT NULL
        THEN pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', login.sid)::text)::text END,
      ${selected}
    FROM login LEFT JOIN undone USING (sid)`,
  });

export function undoValues({ now, sid, undoHash }: Undo): unknown[] {
  return [now, sid, undoHash, addSeconds(now, -UNDO_SECONDS)];
}

const UNDO = undoStatement({ name: "undo-login", condition: "flow <> 'hosted'" });

/**
 * Marks an answered login of the site's own as taken back: it signs nobody in from now on.
 * @returns null for a wrong word, and once the time for it is over
 */
export async function undoLogin(database: Database, undo: Undo): Promise<UndoneLogin | null> {
  return (await database.run<UndoneLogin>(UNDO, undoValues(undo)))[0] ?? null;
}

const END = statement({
  name: "end-undone-sessions",
  with: `ended AS (
    DELETE FROM browser_session WHERE user_id = $2::int
      -- By its line. By the hash if a process of the previous version opened the session.
      AND (COALESCE(lineage, id) IN (SELECT by_session FROM login_event
        WHERE sid = $4::text AND user_id = $2::int AND kind IN ('session_created', 'approved')
      ) OR $3::bytea = ANY(undo_hashes))
    RETURNING id, user_id, credential, user_agent
  ), forgotten AS (
    -- Codes that a session which ends has asked for.
    DELETE FROM login_session WHERE redeemed_at IS NULL AND sid IN (
      SELECT sid FROM login_session WHERE adds_to_session IN (SELECT id FROM ended)
      UNION SELECT sid FROM login_session WHERE approves_session IN (SELECT id FROM ended)
    )
  ), disowned AS (
    -- The browser is new to the account again: it is announced if it comes back.
    DELETE FROM known_browser USING login_session AS login
    WHERE login.sid = $4::text AND known_browser.user_id = $2::int AND known_browser.hash = login.known_browser_hash
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
    SELECT $1::timestamptz, 'session_ended', user_id, 'undone', credential, user_agent FROM ended
  )`,
  select: "SELECT count(*)::int AS count FROM ended",
});

/**
 * Ends the browser sessions that an undone login opened, and those that replaced them by an approval.
 * A browser whose login is in `login_session` is then new to the account again.
 */
export async function endUndoneSessions(
  database: Database,
  undone: Undo & Pick<UndoneLogin, "userId">,
): Promise<void> {
  const { now, userId, undoHash, sid } = undone;
  // Twice: the first waits for an approval that is renewing such a session, the second sees the session that it opened.
  // Whatever begins later finds the session gone.
  for (const _pass of [1, 2]) await retryOnConflict(() => database.run(END, [now, userId, undoHash, sid]));
}
