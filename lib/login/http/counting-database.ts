import { type Database, type Statement, statement } from "../store/database.ts";
import { type CountRow, countColumns, counted } from "./limit-counters.ts";
import type { RequestLimit } from "./request-limit.ts";

/** Divides by zero where the limit is used up: the statement fails, and nothing of it has happened. */
const REQUESTS_OR_FAIL = "counted_requests / within::int AS counted_requests";
const DIVISION_BY_ZERO = "22012";

/** The same statements behind the count. */
const counting = new WeakMap<Statement, Statement>();

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
        await limit.within(async (by) => {
          rows = await database.run<Counted>(countingOf(asked, values.length), [...values, ...by]);
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

function countingOf(asked: Statement, parameters: number): Statement {
  const known = counting.get(asked) ?? countFirst(asked, parameters);
  counting.set(asked, known);
  return known;
}

/**
 * The same statement behind the count. Every row also has the count's columns. Where the statement itself returns no
 * row, one comes back with `was_answered` null.
 */
function countFirst({ name, with: expressions, select, durable }: Statement, parameters: number): Statement {
  const place = (nth: number) => `$${parameters + nth}`;
  const by = { caller: `${place(1)}::text`, network: place(2), limit: place(3), window: place(4) };
  return statement({
    name: `${name}+count`,
    with: expressions ? `${counted(by)}, ${expressions}` : counted(by),
    select: `SELECT ${countColumns(by.network, REQUESTS_OR_FAIL)}, asked.*
      FROM counted LEFT JOIN (SELECT true AS was_answered, asked.* FROM (${select}) AS asked) AS asked ON true`,
    durable,
  });
}

function isDivisionByZero(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DIVISION_BY_ZERO;
}
