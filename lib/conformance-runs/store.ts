import type { PhoneArrival, Word } from "#lib/conformance/wallet/judge-phone.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { type Database, statement } from "#lib/login/store/database.ts";
import { ARRIVALS_AT_MOST, CODES_AT_MOST, RUN_SECONDS } from "./numbers.ts";

/** The statements on runs. Each adds to its row by itself, so that several processes may serve one run. */

/** A code as a run keeps it; `at` in milliseconds since the epoch. */
export type KeptCode = { case: string; challenge: string; at: number };

/** What came to the address of a code, the first code being 0. */
export type KeptArrival = Omit<PhoneArrival, "afterMs"> & { code: number; at: number };

export type Run = {
  id: string;
  startedAt: Date;
  expiresAt: Date;
  codes: KeptCode[];
  arrivals: KeptArrival[];
  words: Record<string, Word>;
};

const START = statement({
  name: "start-conformance-run",
  with: `started AS (
    INSERT INTO conformance_run (id, secret_hash, started_at, expires_at)
    VALUES ($2::text, $3::bytea, $1::timestamptz, $4::timestamptz)
    RETURNING expires_at
  )`,
  select: `SELECT expires_at AS "expiresAt" FROM started`,
  durable: false,
});

export async function insertRun(
  database: Database,
  { now, id, secretHash }: { now: Date; id: string; secretHash: Uint8Array },
): Promise<{ expiresAt: Date }> {
  const expiresAt = addSeconds(now, RUN_SECONDS);
  await database.run(START, [now, id, secretHash, expiresAt]);
  return { expiresAt };
}

const FIND = statement({
  name: "find-conformance-run",
  select: `SELECT id, started_at AS "startedAt", expires_at AS "expiresAt", codes, arrivals, words
    FROM conformance_run WHERE secret_hash = $2::bytea AND expires_at > $1::timestamptz`,
  durable: true,
});

/** The run whose secret has this hash; null when there is none, or it is over. */
export async function findRun(database: Database, now: Date, secretHash: Uint8Array): Promise<Run | null> {
  return (await database.run<Run>(FIND, [now, secretHash]))[0] ?? null;
}

const ADD_CODE = statement({
  name: "add-conformance-code",
  with: `shown AS (
    -- What its person said was said of the code before.
    UPDATE conformance_run SET codes = codes || $3::jsonb, words = words - ($3::jsonb ->> 'case')
    WHERE id = $2::text AND expires_at > $1::timestamptz AND jsonb_array_length(codes) < ${CODES_AT_MOST}
    RETURNING jsonb_array_length(codes) - 1 AS place
  )`,
  select: "SELECT place FROM shown",
  durable: false,
});

/**
 * Adds a code to a run.
 * @returns its place; null when the run is over or has shown too many
 */
export async function addCode(
  database: Database,
  now: Date,
  runId: string,
  code: KeptCode,
): Promise<number | null> {
  const [row] = await database.run<{ place: number }>(ADD_CODE, [now, runId, JSON.stringify(code)]);
  return row?.place ?? null;
}

const SET_WORD = statement({
  name: "set-conformance-word",
  with: `said AS (
    UPDATE conformance_run SET words = words || jsonb_build_object($3::text, $4::text)
    WHERE id = $2::text AND expires_at > $1::timestamptz
  )`,
  select: "SELECT 1",
  durable: false,
});

export async function setWord(
  database: Database,
  now: Date,
  runId: string,
  { caseId, word }: { caseId: string; word: Word },
): Promise<void> {
  await database.run(SET_WORD, [now, runId, caseId, word]);
}

const FIND_CODE = statement({
  name: "find-conformance-code",
  select: `SELECT codes -> $3::int AS code FROM conformance_run
    WHERE id = $2::text AND expires_at > $1::timestamptz AND jsonb_array_length(codes) > $3::int`,
  durable: true,
});

/** The code at a place of a run; null when the run is over, or has none there. */
export async function findCode(
  database: Database,
  now: Date,
  runId: string,
  place: number,
): Promise<KeptCode | null> {
  return (await database.run<{ code: KeptCode }>(FIND_CODE, [now, runId, place]))[0]?.code ?? null;
}

const ADD_ARRIVAL = statement({
  name: "add-conformance-arrival",
  with: `arrived AS (
    UPDATE conformance_run SET arrivals = arrivals || $3::jsonb
    WHERE id = $2::text AND expires_at > $1::timestamptz AND jsonb_array_length(arrivals) < ${ARRIVALS_AT_MOST}
    RETURNING (
      SELECT count(*)::int FROM jsonb_array_elements(arrivals) AS arrival
      WHERE arrival -> 'code' = $3::jsonb -> 'code'
    ) AS count
  )`,
  select: "SELECT count FROM arrived",
  durable: false,
});

/**
 * Records what came to the address of a code.
 * @returns which one it is for this code, 1 for the first; null when the run takes no more
 */
export async function addArrival(
  database: Database,
  now: Date,
  runId: string,
  arrival: KeptArrival,
): Promise<number | null> {
  const values = [now, runId, JSON.stringify(arrival)];
  return (await database.run<{ count: number }>(ADD_ARRIVAL, values))[0]?.count ?? null;
}

const PRUNE = statement({
  name: "prune-conformance-runs",
  with: "pruned AS (DELETE FROM conformance_run WHERE expires_at < $1::timestamptz RETURNING 1)",
  select: "SELECT count(*)::int AS count FROM pruned",
  durable: false,
});

/** Deletes the runs that are over. @returns rows deleted */
export async function pruneRuns(database: Database, now: Date): Promise<number> {
  return (await database.run<{ count: number }>(PRUNE, [now]))[0]?.count ?? 0;
}
