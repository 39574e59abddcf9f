import { requireClient } from "#packages/login/http/client-address.ts";
import { createLimitCounters, type LimitName, RequestLimit } from "#packages/login/http/request-limit.ts";
import { database } from "../database/db.ts";
import { env } from "../env.ts";

/** This application's limits, counted in its database and multiplied by RATE_LIMIT_SCALE. */

/**
 * @param caller a client address, or another key
 * @param knownAs the key by which this process remembers the caller, if only the database knows the counter's key
 */
export function createRequestLimit(name: LimitName, caller: string, knownAs = caller): RequestLimit {
  const countersOf = (by: string) => createLimitCounters(name, by, env().RATE_LIMIT_SCALE);
  return new RequestLimit(
    countersOf(caller),
    database(),
    countersOf(knownAs).map(({ key }) => key),
  );
}

export function createClientLimit(name: LimitName, request: Request): RequestLimit {
  return createRequestLimit(name, requireClient(request));
}
