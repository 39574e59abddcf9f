import { type Database, type Statement, statement } from "../store/database.ts";
import { CLIENTS_PER_NETWORK } from "./numbers.ts";
import type { CountRow, RequestLimit } from "./request-limit.ts";

/**
 * Counting in PostgreSQL: exact across processes, by the database's clock, and in the statement that answers the
 * request, which saves a round trip.
 */

const NOW_MS = "(extract(epoch FROM now()) * 1000)::bigint";

/** A common table expression that adds to the counter `key` for each row of `from`, and returns its count. */
const adding = (name: string, { key, window, from }: { key: string; window: string; from: string }) =>
  `${name} AS (
  INSERT INTO rate_limit AS counter (key, points, expire)
  SELECT ${key}, 1, ${NOW_MS} + ${window} * 1000 ${from}
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN counter.expire > ${NOW_MS} THEN counter.points ELSE 0 END + excluded.points,
    expire = CASE WHEN counter.expire > ${NOW_MS} THEN counter.expire ELSE excluded.expire END
  RETURNING points, (expire - ${NOW_MS})::int AS reset_ms
)`;

/** The SQL expressions by which a statement counts. */
type CountedBy = {
  /** The caller's key. */
  caller: string;
  /** The key of an IPv6 client's network; null to count no network, which costs PostgreSQL less. */
  network: string | null;
  /** How many requests a window allows. */
  limit: string;
  /** The window's seconds. */
  window: string;
  /** A `FROM` clause of one row, or of none when there is nobody to count. */
  from?: string;
};

/**
 * Counts one request, as common table expressions that an endpoint's own statement begins with. The last of them is
 * `counted`, one row: the columns that `countColumns` names, and `within`, which says whether the rest may be done.
 *
 * A request beyond its client's own limit does not count for the network, so that one client cannot use up the share of
 * its neighbours.
 */
export function counted({ network, limit, from = "", ...by }: CountedBy): string {
  const window = `${by.window}::int`;
  const caller = adding("caller", { key: by.caller, window, from });
  const own = `caller.points AS counted_requests, caller.reset_ms AS counted_reset_ms,
    caller.points <= ${limit}::int`;
  if (network === null) return `${caller}, counted AS (SELECT ${own} AS within FROM caller)`;
  const networkFrom = `FROM caller WHERE caller.points <= ${limit}::int AND ${network}::text IS NOT NULL`;
  return `${caller}, ${adding("network", { key: `${network}::text`, window, from: networkFrom })}, counted AS (
  SELECT ${own} AND COALESCE(network.points <= ${CLIENTS_PER_NETWORK} * ${limit}::bigint, true) AS within,
    network.points AS network_requests, network.reset_ms AS network_reset_ms
  FROM caller LEFT JOIN network ON true
)`;
}

/** The columns of `counted` that make a `CountRow`. @param requests the expression for the first */
export function countColumns(network: string | null, requests = "counted_requests"): string {
  const own = `${requests}, counted_reset_ms`;
  return network === null ? own : `${own}, network_requests, network_reset_ms`;
}

/** Counts a request that no other statement counts. Its values are `CountValues`. */
export const COUNT = statement({
  name: "count",
  with: counted({ caller: "$1::text", network: "$2", limit: "$3", window: "$4" }),
  select: `SELECT ${countColumns("$2")} FROM counted`,
  durable: false,
});

/** Divides by zero if the limit is used up: the statement then fails, and changes nothing. */
const REQUESTS_OR_FAIL = "counted_requests / within::int AS counted_requests";
const DIVISION_BY_ZERO = "22012";

/** Each statement's form with a count in front: of the caller alone, and of the caller and its network. */
const countingCaller = new WeakMap<Statement, Statement>();
const countingNetwork = new WeakMap<Statement, Statement>();

/**
 * A database handle that counts the request with its first statement, in the same message. The code that uses it need
 * not know. If the request is over its limit, it is refused and the statement has done nothing.
 */
export function countingDatabase(database: Database, limit: RequestLimit): Database {
  return {
    async run<Row>(asked: Statement, values: readonly unknown[]): Promise<Row[]> {
      if (limit.counted) return database.run<Row>(asked, values);
      type Counted = Row & CountRow & { was_answered: true | null };
      let rows: Counted[] = [];
      try {
        await limit.within(async ([caller, network, ...limits]) => {
          const by = network === null ? [caller, ...limits] : [caller, network, ...limits];
          const counting = countingOf(asked, values.length, network === null);
          rows = await database.run<Counted>(counting, [...values, ...by]);
          return rows[0];
        });
      } catch (error) {
        if (!isDivisionByZero(error)) throw error;
        // The failed statement has counted nothing. Counting alone refuses the request, and says until when.
        await limit.take();
        // The window has ended since, so the request is within the next one.
        return database.run<Row>(asked, values);
      }
      return rows.filter(({ was_answered }) => was_answered);
    },
  };
}

function countingOf(asked: Statement, parameters: number, alone: boolean): Statement {
  const counting = alone ? countingCaller : countingNetwork;
  const known = counting.get(asked) ?? countFirst(asked, parameters, alone);
  counting.set(asked, known);
  return known;
}

/**
 * The statement with the count in front. Every row also has the count's columns. If the statement itself returns no
 * row, one comes back with `was_answered` null.
 */
function countFirst(
  { name, with: expressions, select, durable }: Statement,
  parameters: number,
  alone: boolean,
): Statement {
  const place = (nth: number) => `$${parameters + nth}`;
  const [limit, window] = alone ? [place(2), place(3)] : [place(3), place(4)];
  const by = { caller: `${place(1)}::text`, network: alone ? null : place(2), limit, window };
  return statement({
    name: `${name}+count${alone ? "" : "s"}`,
    with: expressions ? `${counted(by)}, ${expressions}` : counted(by),
    select: `SELECT ${countColumns(by.network, REQUESTS_OR_FAIL)}, asked.*
      FROM counted LEFT JOIN (SELECT true AS was_answered, asked.* FROM (${select}) AS asked) AS asked ON true`,
    durable,
  });
}

function isDivisionByZero(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DIVISION_BY_ZERO;
}
