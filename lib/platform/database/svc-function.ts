import { type SqlFunction, sqlFunction } from "#packages/login/database/sql-function.ts";

/**
 * The schema of the application's SQL functions (`lib/**\/sql/*.sql`), named after their version. Raise it when a
 * released function changes: processes of the previous release call theirs until they end.
 */
export const SVC_SCHEMA = "svc_1";

/** As `sqlFunction`, for a function of the application. */
export function svcFunction<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
): SqlFunction<Parameter> {
  return sqlFunction(name, parameters, SVC_SCHEMA);
}
