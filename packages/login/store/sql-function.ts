import type { Database, Statement } from "./database.ts";

/**
 * The schema of the login's SQL functions, named after their version. Raise it when a released function changes:
 * processes of the previous release call theirs until they end.
 */
export const FUNCTIONS_SCHEMA = "login_1";

/** A SQL function (the `.sql` files of this package), and the names of its parameters. */
export type SqlFunction<Parameter extends string> = Statement & { readonly parameters: readonly Parameter[] };

/**
 * The call of a SQL function.
 * @param parameters its parameters in camel case, in any order
 * @param durable false for a function that turns `synchronous_commit` off
 */
export function sqlFunction<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
  { durable = true } = {},
): SqlFunction<Parameter> {
  const values = parameters.map((parameter, index) => `${snakeCase(parameter)} => $${index + 1}`);
  const text = `SELECT * FROM ${FUNCTIONS_SCHEMA}.${name}(${values.join(", ")})`;
  return { name, text, bareText: text, select: text, durable, parameters };
}

/**
 * Calls a SQL function in one statement.
 * @returns its row, the columns in camel case; null if it returns NULL
 * @throws when `input` lacks a parameter: as NULL it could pass for a condition that holds, such as a deadline
 */
export async function call<Row>(
  database: Database,
  called: SqlFunction<string>,
  input: Readonly<Record<string, unknown>>,
): Promise<Row | null> {
  const [row] = await callAll<Record<string, unknown>>(database, called, input);
  const isNull = Object.values(row ?? {}).every((value) => value === null);
  return isNull ? null : (row as Row);
}

/** As `call`, for a function that returns a set of rows. */
export async function callAll<Row>(
  database: Database,
  called: SqlFunction<string>,
  input: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const values = called.parameters.map((parameter) => {
    if (!Object.hasOwn(input, parameter)) throw new Error(`${called.name}: ${parameter} is missing`);
    return input[parameter];
  });
  const rows = await database.run<Record<string, unknown>>(called, values);
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value])) as Row,
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
