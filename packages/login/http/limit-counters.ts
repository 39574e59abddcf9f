import { type Database, type Statement, statement } from "../store/database.ts";
import { FUNCTIONS_SCHEMA } from "../store/sql-function.ts";
import type { CountRow, RequestLimit } from "./request-limit.ts";

/**
 * Counting in PostgreSQL (`sql/count-request.sql`): exact across processes, and in the statement that answers the
 * request, which saves a round trip.
 */

/** The call of `count_request`; its parameters are `CountValues`, which begin at the placeholder `$first`. */
export function countRequest(first: number, caller = `$${first}::text`): string {
  const [network, requests, networkRequests, seconds] = [1, 2, 3, 4].map((at) => `$${first + at}`);
  return `${FUNCTIONS_SCHEMA}.count_request(${caller}, ${network}, ${requests}, ${networkRequests}, ${seconds})`;
}

/** Counts a request that no other statement counts. Its values are `CountValues`. */
export const COUNT = statement({
  name: "count-request",
  select: `SELECT * FROM ${countRequest(1)}`,
  durable: false,
});

const counting = new WeakMap<Statement, Statement>();

/** What `countFirst` adds to a row. */
type Counted = CountRow & { has_answer: true | null; set_config?: string };

/**
 * A database handle that counts the request with its first statement, in the same message. If a limit is used up,
 * `count_request` raises an error, so the statement has done nothing, and the request is refused.
 */
export function countingDatabase(database: Database, limit: RequestLimit): Database {
  return {
    async run<Row>(first: Statement, values: readonly unknown[]): Promise<Row[]> {
      if (limit.counted) return database.run<Row>(first, values);
      const counted = counting.get(first) ?? countFirst(first, values.length);
      counting.set(first, counted);
      let rows: Counted[] = [];
      await limit.within(async (count) => {
        rows = await database.run<Counted>(counted, [...values, ...count]);
        return rows[0];
      });
      return rows.filter((row) => row.has_answer).map(answerOf) as Row[];
    },
  };
}

/** The row of the statement itself: a caller must not take a count for its answer. */
function answerOf(row: Counted): object {
  const { counted_requests, counted_reset_ms, network_requests, network_reset_ms, ...answer } = row;
  const { has_answer, set_config, ...own } = answer;
  return own;
}

/** The statement, preceded by the count. If it returns no row itself, one comes back with `has_answer` null. */
function countFirst({ name, with: expressions, select, durable }: Statement, parameters: number): Statement {
  return statement({
    name: `${name}+count`,
    ...(expressions && { with: expressions }),
    select: `SELECT counted.*, answer.* FROM ${countRequest(parameters + 1)} AS counted
      LEFT JOIN LATERAL (SELECT true AS has_answer, answer.* FROM (${select}) AS answer) AS answer ON true`,
    durable,
  });
}
