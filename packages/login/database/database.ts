import type { RefusalReason } from "../protocol/errors.ts";
import { addSeconds, DATABASE_WAIT_SECONDS } from "../protocol/numbers.ts";

/** The interface to PostgreSQL. The login only runs single statements, each of which is atomic. */

export type Statement = {
  /** Unique among the statements of a database, because drivers use it as the name of the prepared statement. */
  readonly name: string;
  readonly text: string;
};

/** Runs statements. `values` fill `$1`, …: primitives, dates, bytes, arrays. An error's `code` is its SQLSTATE, and
 * its `detail` PostgreSQL's DETAIL. */
export type Database = {
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
};

/**
 * The SQLSTATEs with which PostgreSQL refuses one of two concurrent requests: unique violation, deadlock, and
 * foreign key violation, if the other request has deleted a row that this one refers to.
 */
const CONFLICTS = ["23505", "40P01", "23503"];

/** Uses the database through node-postgres (a `pg.Pool`). Each connection parses and plans a statement once. */
export function pgDatabase(pool: {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}): Database {
  return {
    async run<Row>({ name, text }: Statement, values: readonly unknown[]) {
      return (await pool.query({ name, text, values: zoned(values) })).rows as Row[];
    },
  };
}

/** Writes dates in UTC, because drivers write them in the process's time zone, or without a zone. */
function zoned(values: readonly unknown[]): unknown[] {
  return values.map((value) => (value instanceof Date ? value.toISOString() : value));
}

/**
 * Uses the database through Prisma's client on `@prisma/adapter-pg`. Its connections need `svc_login` first on their
 * search path, and the time zone UTC, because the adapter reads and writes timestamps without an offset.
 */
export function prismaDatabase(client: {
  $queryRawUnsafe(query: string, ...values: unknown[]): Promise<unknown>;
}): Database {
  return {
    async run<Row>({ text }: Statement, values: readonly unknown[]) {
      return client.$queryRawUnsafe(text, ...zoned(values)).catch((error) => {
        // Prisma's errors have different codes.
        const { originalCode: code, detail } = error?.meta?.driverAdapterError?.cause ?? {};
        throw code ? Object.assign(new Error(error.message, { cause: error }), { code, detail }) : error;
      }) as Promise<Row[]>;
    },
  };
}

/** The channel on which a statement notifies every process that a login session changed. */
export const LOGIN_CHANNEL = "login_session";

/** A message on that channel, as JSON: a notice of a new status, or the reason why a wallet response was refused. */
export type LoginNotification = { sid: string; refused?: RefusalReason };

/**
 * Returns the time after which a statement that decides who is signed in has no effect. A database that hung may run
 * the statement minutes after its request was answered with 503, when someone else may be using the browser.
 * @param now the request's time
 */
export function statementDeadline(now: Date): Date {
  return addSeconds(now, DATABASE_WAIT_SECONDS);
}

/** Runs a statement, and repeats it if it conflicted with a concurrent request. */
export async function retryOnConflict<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && CONFLICTS.includes(String(error.code)))) throw error;
    return run();
  }
}
