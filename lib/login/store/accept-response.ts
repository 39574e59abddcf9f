import { cutToBytes } from "../protocol/cut-to-bytes.ts";
import type { RefusalReason } from "../protocol/errors.ts";
import type { DeviceInfo } from "../protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS, DEVICE_INFO_KEPT_BYTES } from "../protocol/numbers.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import { addSeconds } from "../protocol/time.ts";
import { approvedSince } from "./browser-session.ts";
import { type Database, LOGIN_CHANNEL, type Statement, startedInTime, statement } from "./database.ts";

/** The id that a new user gets. */
export const NEW_USER_ID = "nextval('user_account_id_seq')::int";
/**
 * Expressions that create a user and its credential for each row of `from` that `is_new`. They begin with a comma.
 * @param deviceInfo what the wallet said about its device, as an expression
 */
export const creatingUser = (
  from: string,
  kind: "public_key" | "address",
  now: string,
  deviceInfo = "NULL::jsonb",
) => `, new_user AS (
    INSERT INTO user_account (id, created_at) SELECT user_id, ${now}::timestamptz FROM ${from} WHERE is_new
  ), new_credential AS (
    INSERT INTO credential (id, user_id, kind, value, created_at, device_info)
    SELECT gen_random_uuid(), user_id, '${kind}', credential, ${now}::timestamptz, ${deviceInfo} FROM ${from} WHERE is_new
  )`;

/** A challenge as a wallet response finds it, in any flow. */
export type FoundChallenge = {
  sid: string;
  issuedAt: Date;
  /** Its session is authenticated: one response spends every challenge of a session. */
  used: boolean;
};

/** What is kept of what a wallet said of its device. */
function keptDeviceInfo(said: DeviceInfo): DeviceInfo {
  const parts = Object.entries(DEVICE_INFO_KEPT_BYTES) as [keyof DeviceInfo, number][];
  return Object.fromEntries(
    parts.flatMap(([part, bytes]) => {
      const text = said[part];
      return text === undefined ? [] : [[part, cutToBytes(text, bytes)]];
    }),
  );
}

/** What became of a response to a login's challenge. */
export type SpentChallenge = FoundChallenge & {
  /** What its code asks for instead of a login; null for a login. */
  intent: Intent | null;
  /** The user whom the key signs in: its holder, else the user whose session or recovery asked for the code. */
  userId: number | null;
  /** The key may not answer the code: an approval takes a key of that user, a recovery one without an account. */
  keyNotAllowed: boolean;
  /** This response spent the challenge and authenticated its session. */
  spent: boolean;
  /** Of the browser that asked for the code. */
  userAgent: string | null;
  /** That browser has signed in to the account before. */
  isKnownBrowser: boolean;
};

const INTENT = "COALESCE(session.adds_to_session, session.approves_session, session.recovers)";
/** Joins what asked for a code with an intent, while it lives: a browser session as `asking`, or a recovery. */
export const joinAsker = (
  now: string,
) => `LEFT JOIN browser_session AS asking ON asking.expires_at > ${now}::timestamptz
        AND asking.id = COALESCE(session.adds_to_session, session.approves_session)
        AND (session.adds_to_session IS NULL OR ${approvedSince("asking", now)})
      LEFT JOIN recovery ON recovery.id = session.recovers AND recovery.expires_at > ${now}::timestamptz`;
/** A code with an intent ends with what asked for it. */
export const ASKER_LIVES = `${INTENT} IS NOT DISTINCT FROM COALESCE(asking.id, recovery.id)`;
/** The name of that intent. */
export const INTENT_NAME = `CASE WHEN session.approves_session IS NOT NULL THEN 'approve'
        WHEN session.adds_to_session IS NOT NULL THEN 'add' WHEN session.recovers IS NOT NULL THEN 'recover' END`;
const USER_ID = `COALESCE(holder.user_id, recovery.user_id,
        CASE WHEN session.adds_to_session IS NOT NULL THEN asking.user_id END)`;
/** Whether the key of `holder` may not answer the code. */
export const NOT_ALLOWED = `(session.approves_session IS NOT NULL AND holder.user_id IS DISTINCT FROM asking.user_id
        OR session.recovers IS NOT NULL AND holder.user_id IS NOT NULL)`;

/** What differs between flows when a challenge is spent. */
type Spending = {
  /** The statement's name. */
  name: string;
  /** Selects the challenge $1: its `sid`, `issued_at`, `used`, and what the other parts read. */
  found: string;
  /** Further columns that the session gets, as `, column = expression`. */
  sets: string;
  /** The condition under which the signer may spend what was found. */
  condition: string;
  /** Further columns of `authenticated`, as `, expression`. */
  returned?: string;
  /** Further expressions that write, for the row of `authenticated`, each after a comma. */
  beside?: string;
  /** The columns to select of `found` and `authenticated`. */
  selected: string;
};

/** What a session keeps of a wallet response: $5 to $7. */
export const RESPONSE_COLUMNS = ", signed_at = $5::bigint, device_info = $6::jsonb, undo_hash = $7::bytea";

/**
 * The statement that spends a flow's challenges. $1 is the challenge, $2 its signer (null: nothing changes), $3 the
 * time; the challenge must have been issued after $4. One row if there is such a challenge, spent or not.
 */
export const spendStatement = ({
  name,
  found,
  sets,
  condition,
  returned = "",
  beside = "",
  selected,
}: Spending): Statement =>
  statement({
    name,
    with: `found AS (
    ${found}
  ), authenticated AS (
    -- Of concurrent responses one gets the row. The session first, as whoever deletes it locks it before its challenges.
    UPDATE login_session AS session
    SET status = 'authenticated', authenticated_at = $3::timestamptz, credential = $2::text${sets}
    FROM found
    WHERE session.sid = found.sid AND session.status <> 'authenticated' AND $2::text IS NOT NULL
      AND found.issued_at > $4::timestamptz AND ${startedInTime("$3")} AND ${condition}
    RETURNING session.sid, session.user_id, session.credential, session.device_info${returned}
  )${beside}, logged AS (
    INSERT INTO login_event (at, kind, sid, user_id, credential)
    SELECT $3::timestamptz, 'delivered', sid, user_id, credential FROM authenticated
  )`,
    select: `SELECT authenticated.sid IS NOT NULL AS spent, ${selected}, CASE WHEN authenticated.sid IS NOT NULL
        THEN pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', authenticated.sid)::text)::text END
    FROM found LEFT JOIN authenticated ON true`,
  });

/**
 * PostgreSQL sets up every part of a statement at each execution, used or not, and that is most of its cost. So the
 * login of a known key has a short form. It accepts no code with an intent: it reports one as `not_allowed`, and the
 * full form decides. `either` picks the text of the full form, or of the short one (empty if none is given).
 */
const findAndSpend = (name: string, either: (full: string, short?: string) => string) =>
  spendStatement({
    name,
    found: `SELECT challenge.sid, challenge.issued_at, session.status = 'authenticated' AS used,
      ${either(INTENT_NAME, "NULL")} AS intent, session.user_agent, session.known_browser_hash,
      ${either(USER_ID, "holder.user_id")} AS user_id, ${either(NOT_ALLOWED, `${INTENT} IS NOT NULL`)} AS not_allowed
    FROM challenge
      -- By its key, also in a plan that was made when the table was empty, when reading all of it seemed to cost less.
      CROSS JOIN LATERAL (SELECT * FROM login_session WHERE sid = challenge.sid OFFSET 0) AS session
      LEFT JOIN credential AS holder ON holder.value = $2::text
      ${either(joinAsker("$3"))}
    WHERE challenge.text = $1::text AND session.flow = 'login' ${either(`AND ${ASKER_LIVES}`)}`,
    sets: `, user_id = COALESCE(found.user_id, ${either(NEW_USER_ID, "NULL")})${RESPONSE_COLUMNS}`,
    condition: `NOT found.not_allowed AND (${either("$8::boolean OR ")}found.user_id IS NOT NULL)
      ${either("AND ($9::boolean OR found.intent IS NOT DISTINCT FROM $10::text)")}`,
    returned: ", found.user_id IS NULL AS is_new",
    beside: either(creatingUser("authenticated", "public_key", "$3", "device_info")),
    selected: `found.sid, found.issued_at AS "issuedAt", found.used, found.intent, found.user_id AS "userId",
      found.not_allowed AS "keyNotAllowed", found.user_agent AS "userAgent",
      -- Not EXISTS: PostgreSQL may answer that by a hash of the whole table, which it would read at each response.
      COALESCE((
        SELECT true FROM known_browser WHERE user_id = authenticated.user_id AND hash = found.known_browser_hash
      ), false) AS "isKnownBrowser"`,
  });

const SHORT = findAndSpend("find-and-spend-short", (_full, short = "") => short);
const FULL = findAndSpend("find-and-spend-challenge", (full) => full);

/**
 * Finds a challenge by its exact text. If the key signed it, and has a user or registers, the same statement spends it
 * and authenticates its session, creating the user if there is none. So of any number of concurrent responses exactly
 * one succeeds (docs/protocol.md#11-challenge). A login code with an intent is found a second time, by the full form.
 * @param input.signer the key that signed the challenge; null when the signature is not valid: then nothing changes
 * @param input.registers whether a key without a user gets one
 * @param input.showed the intent that the wallet says it showed: another than the code's own changes nothing;
 *   undefined if it does not say
 * @param input.undoHash SHA-256 of the word that takes the login back
 * @returns what was there before, and whether this response spent it; null for a challenge that was not issued
 * @throws a unique violation when two sessions register one key concurrently: the second finds its user on a new try
 */
export async function findAndSpendChallenge(
  database: Database,
  input: {
    now: Date;
    challenge: string;
    signer: string | null;
    registers: boolean;
    signedAt: number;
    deviceInfo: DeviceInfo | undefined;
    showed: string | null | undefined;
    undoHash: Uint8Array;
  },
): Promise<SpentChallenge | null> {
  const { now, challenge, signer, registers, signedAt, showed } = input;
  const issuedSince = addSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  const deviceInfo = input.deviceInfo ? JSON.stringify(keptDeviceInfo(input.deviceInfo)) : null;
  const values = [challenge, signer, now, issuedSince, signedAt, deviceInfo, input.undoHash];
  // The short form knows no intent, so it takes no response that names one.
  const isShort = !registers && (showed ?? null) === null;
  const [found] = isShort ? await database.run<SpentChallenge>(SHORT, values) : [];
  if (isShort && !found?.keyNotAllowed) return found ?? null;
  const full = [...values, registers, showed === undefined, showed ?? null];
  return (await database.run<SpentChallenge>(FULL, full))[0] ?? null;
}

/** What a wallet learns about a code before it signs. */
export type AskedCode = {
  issuedAt: Date;
  intent: Intent | null;
  userAgent: string | null;
  network: Uint8Array | null;
};

const FIND_ASKED = statement({
  name: "find-asked-code",
  select: `SELECT challenge.issued_at AS "issuedAt", ${INTENT_NAME} AS intent, session.user_agent AS "userAgent",
      session.network
    FROM challenge JOIN login_session AS session USING (sid)
      ${joinAsker("$3")}
    WHERE challenge.text = $1::text AND challenge.sid = $2::text AND challenge.issued_at > $4::timestamptz
      AND session.flow = 'login' AND session.status <> 'authenticated'
      AND ${ASKER_LIVES}`,
  durable: false,
});

/** A code that can still be answered; null for any other. Changes nothing. */
export async function findAskedCode(
  database: Database,
  { now, sid, challenge }: { now: Date; sid: string; challenge: string },
): Promise<AskedCode | null> {
  const issuedSince = addSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  return (await database.run<AskedCode>(FIND_ASKED, [challenge, sid, now, issuedSince]))[0] ?? null;
}

const MARK_UNREGISTERED = statement({
  name: "mark-unregistered",
  with: `marked AS (
    UPDATE login_session SET status = 'unregistered' WHERE sid = $2::text AND status <> 'authenticated' RETURNING sid
  ), logged AS (
    INSERT INTO login_event (at, kind, sid, credential)
    SELECT $1::timestamptz, 'unregistered', sid, $3::text FROM marked
  )`,
  select: `SELECT pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', sid)::text)::text FROM marked`,
});

/** Marks a pending session whose valid response came from an unknown key, and records it. */
export async function markUnregistered(
  database: Database,
  { now, sid, credential }: { now: Date; sid: string; credential: string },
): Promise<void> {
  await database.run(MARK_UNREGISTERED, [now, sid, credential]);
}

const RECORD_REFUSAL = statement({
  name: "record-refusal",
  with: `logged AS (
    INSERT INTO login_event (at, kind, sid, reason) VALUES ($1::timestamptz, 'refused', $2::text, $3::text) RETURNING sid
  )`,
  select: `SELECT pg_notify('${LOGIN_CHANNEL}', json_build_object('sid', sid, 'refused', $3::text)::text)::text
    FROM logged`,
});

/** Records that a response to a session was refused, and why; the status stays what it was. */
export async function recordRefusal(
  database: Database,
  { now, sid, reason }: { now: Date; sid: string; reason: RefusalReason },
): Promise<void> {
  await database.run(RECORD_REFUSAL, [now, sid, reason]);
}
