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
      type Counted = Row & CountRow & { has_answer: true | null };
      let rows: Counted[] = [];
      await limit.within(async (count) => {
        rows = await database.run<Counted>(counted, [...values, ...count]);
        return rows[0];
      });
      return rows.filter((row) => row.has_answer);
    },
  };
}

/** The statement, preceded by the count. Each of its rows also has the columns of `counted`. */
function countFirst({ name, text, durable }: Statement, parameters: number): Statement {
  const counted = `SELECT counted.*, answer.* FROM ${countRequest(parameters + 1)} AS counted
    LEFT JOIN LATERAL (SELECT true AS has_answer, answer.* FROM (${text}) AS answer) AS answer ON true`;
  return { name: `${name}+count`, text: counted, bareText: counted, select: counted, durable };
}
