import "server-only";
import type pg from "pg";
import { type Prepared, runPrepared } from "#lib/core/db.ts";
import { type CountRow, counted, NOT_COUNTED } from "#lib/core/http/limit-counters.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";

/**
 * A prepared statement that counts the request that it answers.
 * @param name unique in the application
 * @param text what follows the common table expression `counted`: its own parameters begin with `$3`, it does
 *   nothing unless `within`, and it answers one row in any case, with `count` and `reset_ms`
 * @returns runs it; with null instead of a limit nothing is counted
 */
export function countedStatement<Row extends pg.QueryResultRow>(name: string, text: string) {
  const counting = { name, text: `WITH ${counted()}${text}` };
  const uncounted = { name: `${name}-uncounted`, text: `WITH ${NOT_COUNTED}${text}` };
  return async (limit: RequestLimit | null, values: readonly unknown[]): Promise<Row & CountRow> => {
    const run = async (prepared: Prepared, count: readonly unknown[]) =>
      (await runPrepared<Row & CountRow>(prepared, [...count, ...values]))[0];
    const row = limit
      ? await limit.within((count) => run(counting, count))
      : await run(uncounted, [null, null]);
    if (!row) throw new Error(`${name} answered no row`);
    return row;
  };
}
