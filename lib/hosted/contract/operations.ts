import {
  CREATE_DOMAIN,
  DELETE_DOMAIN,
  GET_DOMAIN,
  LIST_DOMAINS,
  ROTATE_SECRET,
  UPDATE_DOMAIN,
  VERIFY_DOMAIN,
} from "./domain.ts";
import { LIST_DELIVERIES, RESEND_DELIVERY, SEND_TEST_EVENT } from "./event.ts";
import type { Operation } from "./operation.ts";
import { CREATE_SESSION, GET_SESSION, LIST_SESSIONS, REFRESH_SESSION } from "./session.ts";
import { VERIFY_SIGNATURE } from "./verify.ts";

/** Every operation of the hosted API, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  CREATE_SESSION,
  LIST_SESSIONS,
  GET_SESSION,
  REFRESH_SESSION,
  VERIFY_SIGNATURE,
  LIST_DOMAINS,
  CREATE_DOMAIN,
  GET_DOMAIN,
  UPDATE_DOMAIN,
  DELETE_DOMAIN,
  VERIFY_DOMAIN,
  ROTATE_SECRET,
  SEND_TEST_EVENT,
  LIST_DELIVERIES,
  RESEND_DELIVERY,
];

/** Where the OpenAPI document is, below each base; it needs no key. */
export const OPENAPI_PATH = "/openapi.json";

/**
 * The values of an operation's path parameters in `pathname`, decoded, or null when it does not name this path.
 * @param pathname below the base path, its percent-encoding valid
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
