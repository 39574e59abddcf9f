import { type Asker, askingSession } from "../../approval/asker.ts";
import { LOGIN_SESSION_IDLE_SECONDS } from "../../protocol/numbers.ts";
import { addSeconds } from "../../protocol/time.ts";
import { type Database, retryOnConflict, type Statement, statement } from "../../store/database.ts";

/** The statements on what users sign in with: public keys (login) and addresses (fast login) alike. */

export type CredentialRow = {
  id: string;
  kind: "public_key" | "address";
  /** Lower-case uncompressed hex of the key, or the address in canonical form. */
  value: string;
  label: string | null;
  createdAt: Date;
  /** When the account was recovered, if it had this credential already; else null. */
  beforeRecoveryAt: Date | null;
  /** What its wallet said about its device when it was added; null if it said nothing. */
  deviceInfo: unknown;
};

const LIST = statement({
  name: "list-credentials",
  select: `SELECT id, kind::text AS kind, value, label, created_at AS "createdAt",
      before_recovery_at AS "beforeRecoveryAt", device_info AS "deviceInfo"
    FROM credential WHERE user_id = $1::int ORDER BY created_at, id`,
});

/** A user's credentials, oldest first. */
export function listCredentials(database: Database, userId: number): Promise<CredentialRow[]> {
  return database.run<CredentialRow>(LIST, [userId]);
}

/** An answered login, and the browser that it is bound to. */
type Addition = { sid: string; browserHash: Uint8Array };

/** A credential that waits to be added, and the user who holds it already, if any. */
export type FoundAddition = Pick<CredentialRow, "kind" | "value"> & { holderId: number | null };

/** The login `$3` of the browser `$4`, if it was answered after `$5` and is not redeemed. */
const ANSWERED = `sid = $3::text AND browser_hash = $4::bytea AND status = 'authenticated' AND redeemed_at IS NULL
      AND authenticated_at > $5::timestamptz`;
const KIND = "(CASE flow WHEN 'fast' THEN 'address' ELSE 'public_key' END)";

const FIND_ADDITION = statement({
  name: "find-addition",
  select: `SELECT ${KIND} AS kind, credential AS value,
      (SELECT user_id FROM credential AS held WHERE held.value = session.credential) AS "holderId"
    FROM login_session AS session
    WHERE adds_to_session = $2::uuid AND $1::timestamptz IS NOT NULL AND ${ANSWERED}`,
});

/** The credential that a wallet answered with for this signed-in browser to add; null when there is none. */
export async function findAddition(
  database: Database,
  { now, sessionId }: Pick<Asker, "now" | "sessionId">,
  addition: Addition,
): Promise<FoundAddition | null> {
  return (await database.run<FoundAddition>(FIND_ADDITION, values({ now, sessionId }, addition)))[0] ?? null;
}

const values = ({ now, sessionId }: Pick<Asker, "now" | "sessionId">, { sid, browserHash }: Addition) => [
  ...[now, sessionId, sid, browserHash],
  addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS),
];

const ADD = statement({
  name: "add-credential",
  with: `${askingSession("$1", "$2")}, redeemed AS (
    UPDATE login_session SET redeemed_at = $1::timestamptz, user_id = asking.user_id FROM asking
    WHERE adds_to_session = asking.id AND ${ANSWERED}
    RETURNING login_session.user_id, credential, flow, device_info
  ), added AS (
    INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session, device_info)
    SELECT gen_random_uuid(), user_id, ${KIND}::credential_kind, credential, $1::timestamptz, $2::uuid, device_info
    FROM redeemed
    RETURNING id, user_id, value
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent, by_session)
    SELECT $1::timestamptz, 'credential_added', $3::text, user_id, value, $6::text, (SELECT lineage FROM asking)
    FROM added
  )`,
  select: "SELECT (SELECT id FROM added) AS id FROM asking",
});

/**
 * Adds the credential of an answered login to the user of the browser session that asked for its code, once.
 * @returns `ended` when the session that asks, or its approval, has ended; null when there is nothing to add
 * @throws a unique violation when the credential has a user already
 */
export async function addCredential(
  database: Database,
  asker: Asker,
  addition: Addition,
): Promise<{ id: string } | "ended" | null> {
  const [row] = await retryOnConflict(() =>
    database.run<{ id: string | null }>(ADD, [...values(asker, addition), asker.userAgent]),
  );
  if (!row) return "ended";
  return row.id === null ? null : { id: row.id };
}

const RENAME = statement({
  name: "rename-credential",
  with: `${askingSession("$1", "$2", false)}, renamed AS (
    UPDATE credential SET label = $4::text FROM asking
    WHERE credential.id = $3::uuid AND credential.user_id = asking.user_id
    RETURNING credential.id
  )`,
  select: "SELECT EXISTS (SELECT 1 FROM renamed) AS renamed FROM asking",
});

/** Names a credential of the user who asks; null removes its name. */
export async function renameCredential(
  database: Database,
  { now, sessionId }: Asker,
  id: string,
  label: string | null,
): Promise<"renamed" | "unknown" | "ended"> {
  const [row] = await retryOnConflict(() =>
    database.run<{ renamed: boolean }>(RENAME, [now, sessionId, id, label]),
  );
  if (!row) return "ended";
  return row.renamed ? "renamed" : "unknown";
}

/**
 * A statement that removes sign-in methods of the user who asks, but never all of them. It ends the browser sessions
 * that they opened, and deletes the logins that they answered and that are not redeemed.
 * @param which the condition for the rows of `held` that are removed
 * @param kept the condition for the rows of `held` of which at least one has to stay
 * @param ends what ends the sessions: of which removed key (null for all), and except which session
 */
const removal = (
  name: string,
  which: string,
  kept: string,
  ends: { key: string; except: string },
): Statement =>
  statement({
    name,
    with: `${askingSession("$1", "$2")}, held AS (
    -- All of them, so that two removals at once cannot leave none.
    SELECT id, before_recovery_at FROM credential WHERE user_id = (SELECT user_id FROM asking)
    ORDER BY id FOR UPDATE
  ), removed AS (
    DELETE FROM credential USING held
    WHERE credential.id = held.id AND ${which} AND EXISTS (SELECT 1 FROM held AS kept WHERE ${kept})
    RETURNING credential.user_id, credential.value
  ), forgotten_hosted AS (
    DELETE FROM hosted_login AS login USING removed
    WHERE login.public_key = removed.value AND login.redeemed_at IS NULL
  ), logged AS (
    INSERT INTO login_event (at, kind, user_id, credential, user_agent)
    SELECT $1::timestamptz, 'credential_removed', user_id, value, $3::text FROM removed
  )`,
    // In this order: the function has to see what the removal has waited for.
    select: `SELECT (SELECT min(value) FROM removed) AS removed, EXISTS (SELECT 1 FROM held WHERE ${which}) AS held,
      CASE WHEN (SELECT count(*) FROM removed) > 0
        THEN end_sessions_of_removed_keys($1::timestamptz, asking.user_id, ${ends.key}, ${ends.except}) END AS ended
      FROM asking`,
  });

type Removal = { removed: string | null; held: boolean };

const REMOVE = removal("remove-credential", "held.id = $4::uuid", "kept.id <> $4::uuid", {
  key: "(SELECT min(value) FROM removed)",
  except: "$2::uuid",
});

/** Removes a credential of the user who asks, but never the last one. The session that asks stays. */
export async function removeCredential(
  database: Database,
  { now, sessionId, userAgent }: Asker,
  id: string,
): Promise<"removed" | "unknown" | "last" | "ended"> {
  const values = [now, sessionId, userAgent, id];
  const [row] = await retryOnConflict(() => database.run<Removal>(REMOVE, values));
  if (!row) return "ended";
  if (row.removed === null) return row.held ? "last" : "unknown";
  return "removed";
}

const REMOVE_BEFORE = removal(
  "remove-ways-before",
  "held.before_recovery_at IS NOT NULL",
  "kept.before_recovery_at IS NULL",
  { key: "NULL", except: "NULL" },
);

/**
 * Removes the sign-in methods that a user had before the last recovery, and ends the browser sessions that they opened.
 * @returns false when the session that asks has ended, and nothing has changed
 */
export async function removeWaysBefore(
  database: Database,
  { now, sessionId, userAgent }: Asker,
): Promise<boolean> {
  return (await retryOnConflict(() => database.run(REMOVE_BEFORE, [now, sessionId, userAgent]))).length > 0;
}
