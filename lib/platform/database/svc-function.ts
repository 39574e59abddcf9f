import { type SqlFunction, sqlFunction } from "#packages/login/database/sql-function.ts";

/**
 * The schema of the application's SQL functions (`lib/**\/sql/*.sql`), named after their version. Increase the number
 * when you change a released function, because processes of the previous release still call the old function.
 */
export const SVC_SCHEMA = "svc_2";

/** Like `sqlFunction`, for the application's own functions. */
export function svcFunction<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
): SqlFunction<Parameter> {
  return sqlFunction(name, parameters, SVC_SCHEMA);
}
