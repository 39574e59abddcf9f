/** The port to PostgreSQL: the login runs single statements, each whole or not at all, and nothing else. */

/** What a statement is made of. */
type Parts = {
  /** Unique among the statements of a database: drivers prepare by it. */
  readonly name: string;
  /** Common table expressions that do the work, without the leading `WITH`; empty when there are none. */
  readonly with: string;
  /** The query that tells what came of it, beginning with `SELECT`. */
  readonly select: string;
  /** False where the answer need not wait until the write is on disk: a crash may lose it. */
  readonly durable: boolean;
};

export type Statement = Parts & {
  /** All of it, as PostgreSQL gets it. */
  readonly text: string;
};

/** Runs statements. `values` fill `$1`, `$2`, …: strings, numbers, booleans, dates, bytes and null. */
export type Database = {
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
};

/** Makes a commit answer before it is on disk. */
const WITHOUT_FSYNC = "set_config('synchronous_commit', 'off', true)";

/** Puts a statement together, once. */
export function statement(parts: Parts): Statement {
  const { with: expressions, select, durable } = parts;
  const all = durable ? expressions : [expressions, `answer AS (${select})`].filter(Boolean).join(", ");
  const answer = durable ? select : `SELECT answer.*, ${WITHOUT_FSYNC} FROM answer`;
  return { ...parts, text: all ? `WITH ${all} ${answer}` : answer };
}

/** Work that is done first, in the same message: its failure undoes all of the statement. */
export type Precedent = {
  /** Common table expressions, their parameters numbered after those of the statement. */
  with: (parametersBefore: number) => string;
  /** The one row that it answers with: its columns, and where they are from. */
  columns: string;
  from: string;
};

/**
 * The same statement with `first` in front. Its columns stand in every row. A statement that answers no row then
 * answers one, whose `was_answered` is null.
 */
export function precede(parts: Parts, parameters: number, first: Precedent): Statement {
  const { name, with: expressions, select, durable } = parts;
  const answer = "LEFT JOIN (SELECT true AS was_answered, answer.* FROM answer) AS answer ON true";
  return statement({
    name: `${name}+count`,
    with: [first.with(parameters), expressions, `answer AS (${select})`].filter(Boolean).join(", "),
    select: `SELECT ${first.columns}, answer.*${durable ? "" : `, ${WITHOUT_FSYNC}`} FROM ${first.from} ${answer}`,
    durable: true,
  });
}

/** The database through node-postgres: a `pg.Pool`. Each connection parses and plans a statement once. */
export function pgDatabase(pool: {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}): Database {
  return {
    async run<Row>({ name, text }: Statement, values: readonly unknown[]) {
      return (await pool.query({ name, text, values: [...values] })).rows as Row[];
    },
  };
}

/** The database through Prisma's client with its PostgreSQL driver adapter. */
export function prismaDatabase(client: {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
}): Database {
  return {
    async run<Row>({ text }: Statement, values: readonly unknown[]) {
      return (await client.$queryRawUnsafe(text, ...values)) as Row[];
    },
  };
}
