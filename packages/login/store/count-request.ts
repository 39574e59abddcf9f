import type { Statement } from "./database.ts";
import { FUNCTIONS_SCHEMA } from "./functions-schema.ts";

/** Counting a request in PostgreSQL (`sql/count-request.sql`), which is exact across processes. */

/** The parameters of `count_request`: the keys and limits of the caller and of the network around it, and the window. */
export type CountValues = readonly [
  caller: string,
  network: string | null,
  requests: number,
  networkRequests: number | null,
  windowSeconds: number,
];

/** The counts that `count_request` returns: the caller's and, if it was counted, the network's around it. */
export type CountRow = {
  /** Requests in this window, this one included. */
  counted_requests: number;
  /** Milliseconds until the window ends. */
  counted_reset_ms: number;
  network_requests?: number | null;
  network_reset_ms?: number | null;
};

/** A request's place under a limit (`RequestLimit`), as the statement that counts it sees it. */
export type RequestCount = {
  /**
   * Counts the request with a statement that calls `count_request`.
   * @param run gets that function's parameters
   * @returns the row of `run`
   * @throws {Refusal} 429 when the limit is used up; what `run` throws
   */
  within<Row extends CountRow | undefined>(run: (values: CountValues) => Promise<Row>): Promise<Row>;
};

/** Counts a request. Its values are `CountValues`. The commit does not wait for the disk. */
export const COUNT: Statement = {
  name: "count-request",
  text: `SELECT counted.*, set_config('synchronous_commit', 'off', true)
    FROM ${FUNCTIONS_SCHEMA}.count_request($1, $2, $3, $4, $5) AS counted`,
};
