import { type Database, type Statement, statement } from "../store/database.ts";
import { type CountRow, countColumns, counted } from "./limit-counters.ts";
import type { RequestLimit } from "./request-limit.ts";

/** Divides by zero where the limit is used up: the statement fails, and nothing of it has happened. */
const REQUESTS_OR_FAIL = "counted_requests / within::int AS counted_requests";
const DIVISION_BY_ZERO = "22012";

/** The same statements behind the count of one counter, and behind that of a client's and its network's. */
const countingCaller = new WeakMap<Statement, Statement>();
const countingNetwork = new WeakMap<Statement, Statement>();

/**
 * A database handle that counts the request with its first statement, in the same message. Code below the door does
 * not know of it. If the request is over its limit, it is refused and the statement has done nothing.
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
        // The count alone tells when the window ends.
        await limit.take();
        // The window ended meanwhile, so the request is within the next one.
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
 * The same statement behind the count. Every row also has the count's columns. Where the statement itself returns no
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
