/** The port to PostgreSQL: the login runs single statements, each whole or not at all, and nothing else. */

/** One statement: common table expressions that do the work, and a query that tells what came of it. */
export type Statement = {
  /** Unique among the statements of a database; drivers prepare by it. */
  readonly name: string;
  /** Common table expressions without the leading `WITH`; empty when there are none. */
  readonly with: string;
  /** The final query, beginning with `SELECT`. */
  readonly select: string;
  /** False where the answer need not wait until the write is on disk: a crash may lose it. */
  readonly durable: boolean;
};

/** Runs statements. `values` fill `$1`, `$2`, …: strings, numbers, booleans, dates, bytes and null. */
export type Database = {
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
};

/** Does not wait for the disk at this commit. */
const WITHOUT_FSYNC = "set_config('synchronous_commit', 'off', true)";

/** A statement's text. One that is not durable says so to PostgreSQL in the same message. */
export function statementText({ with: expressions, select, durable }: Statement): string {
  const answer = durable ? "" : `answer AS (${select})`;
  const all = [expressions, answer].filter(Boolean).join(", ");
  return `${all && `WITH ${all} `}${durable ? select : `SELECT answer.*, ${WITHOUT_FSYNC} FROM answer`}`;
}

/** What a count answers with: requests in the window, this one included, and milliseconds until it ends. */
export type CountRow = { counted_requests: number; window_ms: number };

/**
 * A statement that first runs `count`, an `INSERT … RETURNING counted_requests, window_ms` of one row, in the same
 * message. The count's failure undoes all of it.
 * @param count gets the number of its first parameter: those of the statement stand before
 */
export function countedText(
  { with: expressions, select, durable }: Statement,
  valueCount: number,
  count: (firstParameter: number) => string,
): string {
  const all = [`counted AS (${count(valueCount + 1)})`, expressions, `answer AS (${select})`].filter(Boolean);
  return `WITH ${all.join(", ")}
    SELECT counted.*, answer.*${durable ? "" : `, ${WITHOUT_FSYNC}`}
    FROM counted LEFT JOIN (SELECT true AS answered, answer.* FROM answer) AS answer ON true`;
}

/** The database through node-postgres: a `pg.Pool`. Each connection parses and plans a statement once. */
export function pgDatabase(pool: {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}): Database {
  return {
    run: async <Row>(statement: Statement, values: readonly unknown[]) =>
      (await pool.query({ name: statement.name, text: statementText(statement), values: [...values] }))
        .rows as Row[],
  };
}

/** The database through Prisma's client, with its PostgreSQL driver adapter. */
export function prismaDatabase(client: {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
}): Database {
  return {
    run: async <Row>(statement: Statement, values: readonly unknown[]) =>
      (await client.$queryRawUnsafe(statementText(statement), ...values)) as Row[],
  };
}
