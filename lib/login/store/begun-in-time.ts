import { DATABASE_WAIT_SECONDS } from "../protocol/numbers.ts";
import { plusSeconds } from "../protocol/time.ts";

/**
 * A condition of every statement that decides who is signed in. A database that hung may run a statement minutes after
 * its request was answered with 503: then it must do nothing, since somebody else may be at the browser by now.
 * @param now the placeholder of the request's time
 */
export function begunInTime(now: string): string {
  return `statement_timestamp() < ${now}::timestamptz + interval '${DATABASE_WAIT_SECONDS} seconds'`;
}

/** The same for a query of an ORM: when nobody waits any more for what a request of this time asks. */
export function givenUpAt(now: Date): Date {
  return plusSeconds(now, DATABASE_WAIT_SECONDS);
}
