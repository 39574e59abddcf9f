import type { Database, Statement } from "./database.ts";

/**
 * The number is the functions' version. To change a released function, increase the number, because processes of the
 * previous release still call the old function.
 */
export const FUNCTIONS_SCHEMA = "login_2";

export type CountRequestParameters = readonly [
  caller: string,
  network: string | null,
  requests: number,
  networkRequests: number | null,
  windowSeconds: number,
];

export type RequestCounts = {
  counted_requests: number;
  counted_reset_ms: number;
  network_requests?: number | null;
  network_reset_ms?: number | null;
};

/** The statement that serves the request also counts it (`RequestLimit`). */
export type RequestCounter = {
  /**
   * @param run runs a statement with the parameters of `count_request`
   * @throws {Refusal} 429 if the limit is exceeded; any error from `run`
   */
  countWith<Row extends RequestCounts | undefined>(
    run: (values: CountRequestParameters) => Promise<Row>,
  ): Promise<Row>;
};

/** Its values are `CountRequestParameters`. The commit does not wait for the disk. */
export const COUNT_REQUEST: Statement = {
  name: "count-request",
  text: `SELECT counted.*, set_config('synchronous_commit', 'off', true)
    FROM ${FUNCTIONS_SCHEMA}.count_request($1, $2, $3, $4, $5) AS counted`,
};

export type SqlFunction<Parameter extends string> = Statement & {
  readonly parameters: readonly Parameter[];
  /** The parameters of `count_request` come last. */
  readonly counted: Statement;
};

export function sqlFunction<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
  schema: string = FUNCTIONS_SCHEMA,
): SqlFunction<Parameter> {
  const values = parameters.map((parameter, index) => `${snakeCase(parameter)} => $${index + 1}`);
  const called = `${schema}.${name}(${values.join(", ")})`;
  const count = [1, 2, 3, 4, 5].map((place) => `$${parameters.length + place}`);
  return {
    name,
    text: `SELECT * FROM ${called}`,
    parameters,
    counted: {
      name: `${name}+count`,
      // PostgreSQL evaluates the left side of the join first.
      text: `SELECT * FROM ${FUNCTIONS_SCHEMA}.count_request(${count.join(", ")}) LEFT JOIN ${called} ON true`,
    },
  };
}

type Columns = Record<string, unknown>;
type Input = Readonly<Record<string, unknown>>;

/**
 * @param limit counts the request in the same statement, if it is not null
 * @returns the function's row with column names in camel case, or null if the function returns NULL
 * @throws if `input` lacks a parameter, because passing NULL could disable a condition such as a deadline
 * @throws {Refusal} 429 if the limit is exceeded, in which case the function has not run
 */
export async function callSqlFunction<Row>(
  database: Database,
  called: SqlFunction<string>,
  input: Input,
  limit: RequestCounter | null = null,
): Promise<Row | null> {
  const values = valuesOf(called, input);
  const row = limit
    ? await runCounted(database, called, values, limit)
    : (await database.run<Columns>(called, values))[0];
  const isNull = Object.values(row ?? {}).every((value) => value === null);
  return isNull ? null : (camelCased(row as Columns) as Row);
}

/** Like `callSqlFunction`, for a function that returns a set of rows. */
export async function callSqlFunctionForRows<Row>(
  database: Database,
  called: SqlFunction<string>,
  input: Input,
): Promise<Row[]> {
  const rows = await database.run<Columns>(called, valuesOf(called, input));
  return rows.map((row) => camelCased(row) as Row);
}

async function runCounted(
  database: Database,
  { counted }: SqlFunction<string>,
  values: readonly unknown[],
  limit: RequestCounter,
): Promise<Columns> {
  const row = await limit.countWith(async (count) => {
    const [firstRow] = await database.run<RequestCounts & Columns>(counted, [...values, ...count]);
    return firstRow;
  });
  const { counted_requests, counted_reset_ms, network_requests, network_reset_ms, ...columns } = row ?? {};
  return columns;
}

function valuesOf({ name, parameters }: SqlFunction<string>, input: Input): unknown[] {
  return parameters.map((parameter) => {
    if (!Object.hasOwn(input, parameter)) throw new Error(`${name}: ${parameter} is missing`);
    return input[parameter];
  });
}

function camelCased(row: Columns): Columns {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const camelNames = new Map<string, string>();

/** The results are cached, because the same few names occur in every row. */
function camelCase(name: string): string {
  const cached =
    camelNames.get(name) ?? name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  camelNames.set(name, cached);
  return cached;
}
