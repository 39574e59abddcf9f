import { statement } from "#lib/login/store/database.ts";
import { CLIENTS_PER_NETWORK } from "../numbers.ts";

/**
 * Counting in PostgreSQL: exact across processes, by the database's clock, and in the statement that answers the
 * request, which saves a round trip.
 */

/** Most limits count in windows of this length, which begin with the first request. */
export const WINDOW_SECONDS = 60;

const NOW_MS = "(extract(epoch FROM now()) * 1000)::bigint";

/** What a statement tells of the count that it made. */
export type CountRow = {
  /** Requests in this window, this one included: of the caller and, if it was counted, of the network around it. */
  count: number[];
  /** Milliseconds until the window of each ends. */
  reset_ms: number[];
};

/** A common table expression that adds to the counter `key` for each row of `from`, and answers what it holds. */
const adding = (
  name: string,
  { key, window, added = "1", from = "" }: { key: string; window: string; added?: string; from?: string },
) =>
  `${name} AS (
  INSERT INTO rate_limit AS counter (key, points, expire)
  SELECT ${key}, ${added}, ${NOW_MS} + ${window} * 1000 ${from}
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN counter.expire > ${NOW_MS} THEN counter.points ELSE 0 END + excluded.points,
    expire = CASE WHEN counter.expire > ${NOW_MS} THEN counter.expire ELSE excluded.expire END
  RETURNING points, (expire - ${NOW_MS})::int AS reset_ms
)`;

/**
 * Counts one request against `$2` a window of `$3` seconds, as common table expressions that an endpoint's own
 * statement begins with.
 * `$1` holds the caller's key and, for a client of IPv6, that of the network around it. The network is counted only
 * for what its client may still do, so that one client cannot use up the share of its neighbours. The last of the
 * expressions is `counted`, one row, whose `within` says whether the rest may be done.
 * @param options.alone true where `$1` holds no network: counting one costs PostgreSQL something even where there is none
 * @param options.keys where the keys stand, `$1`
 * @param options.limit where the limit stands, `$2`
 * @param options.window where the window's seconds stand, `$3`
 * @param options.from a `FROM` clause of one row, or of none when there is nobody to count
 * @param options.key the caller's key, where it is made of `$1` and of what `from` knows
 */
export function counted(
  options: {
    alone?: boolean;
    from?: string;
    keys?: string;
    limit?: string;
    window?: string;
    key?: string;
  } = {},
): string {
  const { alone = false, from = "", keys = "$1", limit = "$2" } = options;
  const window = `${options.window ?? "$3"}::int`;
  const { key = `(${keys}::text[])[1]` } = options;
  const caller = adding("caller", { key, window, from });
  if (alone) {
    return `${caller}, counted AS (
  SELECT ARRAY[points] AS count, ARRAY[reset_ms] AS reset_ms, points <= ${limit}::int AS within FROM caller
)`;
  }
  const networkKey = `(${keys}::text[])[2]`;
  const networkFrom = `FROM caller WHERE caller.points <= ${limit}::int AND ${networkKey} IS NOT NULL`;
  return `${caller}, ${adding("network", { key: networkKey, window, from: networkFrom })}, counted AS (
  SELECT array_remove(ARRAY[caller.points, network.points], NULL) AS count,
    array_remove(ARRAY[caller.reset_ms, network.reset_ms], NULL) AS reset_ms,
    caller.points <= ${limit}::int
      AND COALESCE(network.points <= ${CLIENTS_PER_NETWORK} * ${limit}::bigint, true) AS within
  FROM caller LEFT JOIN network ON true
)`;
}

/**
 * A column that lets PostgreSQL answer before the count is on disk, for statements that write nothing else. A power
 * failure then forgets a few requests.
 */
export const WITHOUT_FSYNC = "set_config('synchronous_commit', 'off', true)";

/** Counts a request that no other statement counts. */
export const COUNT = statement({
  name: "count",
  with: counted(),
  select: "SELECT count, reset_ms FROM counted",
  durable: false,
});

/** Adds `$2` requests to the counter `$1`. */
export const ADD = {
  name: "add-to-count",
  text: `WITH ${adding("added", { key: "$1::text", window: String(WINDOW_SECONDS), added: "$2::int" })}
  SELECT points, reset_ms, ${WITHOUT_FSYNC} FROM added`,
};
