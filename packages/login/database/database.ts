import type { RefusalReason } from "../protocol/errors.ts";
import { addSeconds, DATABASE_WAIT_SECONDS } from "../protocol/numbers.ts";

/** The login runs only single statements, each of which is atomic. */

export type Statement = {
  /** Unique for each statement, because drivers use this name for the prepared statement. */
  readonly name: string;
  readonly text: string;
};

/**
 * `values` replace `$1`, `$2`, … and can be primitives, dates, bytes or arrays. Errors have PostgreSQL's SQLSTATE as
 * `code` and its DETAIL as `detail`.
 */
export type Database = {
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
};

/**
 * The SQLSTATEs that PostgreSQL returns to one of two concurrent requests that conflict: a unique violation, a
 * deadlock, or a foreign key violation if the other request has deleted the referenced row.
 */
const CONFLICTS = ["23505", "40P01", "23503"];

/** Each connection parses and plans a statement only once. */
export function pgDatabase(pool: {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}): Database {
  return {
    async run<Row>({ name, text }: Statement, values: readonly unknown[]) {
      return (await pool.query({ name, text, values: zoned(values) })).rows as Row[];
    },
  };
}

/** Drivers write dates in the process's time zone or without a zone. */
function zoned(values: readonly unknown[]): unknown[] {
  return values.map((value) => (value instanceof Date ? value.toISOString() : value));
}

/**
 * The client's connections need `svc_login` first in their search path. They also need the time zone UTC, because
 * `@prisma/adapter-pg` reads and writes timestamps without an offset.
 */
export function prismaDatabase(client: {
  $queryRawUnsafe(query: string, ...values: unknown[]): Promise<unknown>;
}): Database {
  return {
    async run<Row>({ text }: Statement, values: readonly unknown[]) {
      return client.$queryRawUnsafe(text, ...zoned(values)).catch((error) => {
        const { originalCode: code, detail } = error?.meta?.driverAdapterError?.cause ?? {};
        throw code ? Object.assign(new Error(error.message, { cause: error }), { code, detail }) : error;
      }) as Promise<Row[]>;
    },
  };
}

export const LOGIN_CHANNEL = "login_session";

/** Reports that a login's status has changed or, if `refused` is set, why a wallet's response was refused. */
export type LoginNotification = { sid: string; refused?: RefusalReason };

/**
 * Returns the time after which a statement that decides who is signed in must have no effect. A database that hangs
 * might run the statement minutes after the request was answered with 503, when someone else may be using the browser.
 */
export function computeStatementDeadline(now: Date): Date {
  return addSeconds(now, DATABASE_WAIT_SECONDS);
}

/**
 * If several requests deadlock, PostgreSQL ends all but one of them. When the ended requests are repeated, they can
 * conflict with each other again.
 */
const CONFLICT_ATTEMPTS = 4;

export async function retryOnConflict<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === CONFLICT_ATTEMPTS || !isConflict(error)) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && CONFLICTS.includes(String(error.code));
}
