import { requireClient } from "#packages/login/http/client-address.ts";
import { createLimitCounters, type LimitName, RequestLimit } from "#packages/login/http/request-limit.ts";
import { database } from "../database/db.ts";
import { env } from "../env.ts";

/** The limits of this application, counted in its database and scaled with RATE_LIMIT_SCALE. */

/**
 * One request under a limit.
 * @param caller a client address, or another key of the limit
 * @param knownAs the key under which this process remembers the caller, if only the database knows the counter's key
 */
export function requestLimit(name: LimitName, caller: string, knownAs = caller): RequestLimit {
  const countersOf = (by: string) => createLimitCounters(name, by, env().RATE_LIMIT_SCALE);
  return new RequestLimit(
    countersOf(caller),
    database(),
    countersOf(knownAs).map(({ key }) => key),
  );
}

/** Returns the limit of the client that sends a request. */
export function clientLimit(name: LimitName, request: Request): RequestLimit {
  return requestLimit(name, requireClient(request));
}
