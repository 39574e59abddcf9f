import type { Duplex } from "node:stream";
import pg from "pg";
// @ts-expect-error Its types leave this module out.
import { prepareValue } from "pg/lib/utils.js";

/** A statement that each connection prepares once, under this name. */
export type PreparedStatement = { name: string; text: string; values: unknown[] };

/** The columns of a statement's rows, and how to read them. */
type Columns = Pick<Result, "fields" | "_parsers" | "_prebuiltEmptyResultObject">;
type Result = { fields: object[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown };

/** What node-postgres's types leave out of its connection and its query. */
type Connection = {
  stream: Duplex;
  bind(parameters: { statement: string; values: unknown[]; valueMapper: typeof prepareValue }): void;
  execute(): void;
  sync(): void;
};
type Query = PreparedStatement & {
  _result: Result;
  _accumulateRows: boolean;
  submit(connection: Connection): Error | null;
  handleRowDescription(description: object): void;
};
// Made from text. An object would be copied by its property descriptors, which takes longer than all the rest.
const Query = pg.Query as unknown as new (text: string, values: unknown[]) => Query;

/** The columns of the statements that each connection has prepared. */
const descriptions = new WeakMap<Connection, Map<string, Columns>>();

class PreparedQuery extends Query {
  #described: Map<string, Columns> | undefined;

  constructor({ name, text, values }: PreparedStatement) {
    super(text, values);
    this.name = name;
  }

  override submit(connection: Connection): Error | null {
    const described = descriptions.get(connection) ?? new Map<string, Columns>();
    const columns = described.get(this.name);
    if (!columns) {
      descriptions.set(connection, described);
      this.#described = described;
      return super.submit(connection);
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    connection.stream.cork();
    try {
      connection.bind({ statement: this.name, values: this.values, valueMapper: prepareValue });
      connection.execute();
      connection.sync();
      return null;
    } catch (error) {
      // A value could not be written as text. Nothing was sent.
      return error as Error;
    } finally {
      connection.stream.uncork();
    }
  }

  override handleRowDescription(description: object): void {
    super.handleRowDescription(description);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#described?.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/**
 * Runs a prepared statement. PostgreSQL never changes the columns of a prepared statement, so each connection is asked
 * for them once. node-postgres would ask at every execution.
 */
export function sendPrepared(
  connection: pg.Pool | pg.Client,
  statement: PreparedStatement,
): Promise<{ rows: unknown[] }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ rows: unknown[] }>();
  const query: PreparedStatement = new PreparedQuery(statement);
  connection.query(query, (error, result) => (error ? reject(error) : resolve(result)));
  return promise;
}
