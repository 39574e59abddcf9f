import { refusal } from "#packages/login/protocol/errors.ts";
import { DOMAIN_OPERATIONS } from "./domain.ts";
import { EVENT_OPERATIONS } from "./event.ts";
import type { Operation } from "./operation.ts";
import { SESSION_OPERATIONS } from "./session.ts";
import { SIGNATURE_OPERATIONS } from "./verify.ts";

/** In the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  ...Object.values(SESSION_OPERATIONS),
  ...Object.values(SIGNATURE_OPERATIONS),
  ...Object.values(DOMAIN_OPERATIONS),
  ...Object.values(EVENT_OPERATIONS),
];

/** Below each base path. The document can be read without an API key. */
export const OPENAPI_PATH = "/openapi.json";

/**
 * Returns the decoded parameters, or null if `pathname` does not match.
 * @param pathname the path below the base path, with valid percent-encoding
 */
export function matchOperationPath(
  { path }: Pick<Operation, "path">,
  pathname: string,
): Record<string, string> | null {
  const names = path.split("/");
  const segments = pathname.split("/");
  if (names.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? "";
    if (name.startsWith(":") && segment !== "") params[name.slice(1)] = decodeURIComponent(segment);
    else if (name !== segment) return null;
  }
  return params;
}

/**
 * Handles HEAD like GET.
 * @throws {Refusal} 404 if there is none; usually the gate has already answered, using the same table
 */
export function findOperationHandler<Bound extends { operation: Pick<Operation, "method" | "path"> }>(
  handlers: readonly Bound[],
  method: string,
  pathname: string,
): Bound & { params: Record<string, string> } {
  const effectiveMethod = method === "HEAD" ? "GET" : method;
  for (const bound of handlers) {
    const params =
      bound.operation.method === effectiveMethod ? matchOperationPath(bound.operation, pathname) : null;
    if (params) return { ...bound, params };
  }
  throw refusal("not_found", "There is nothing at this URL. Check the path.");
}
