import "server-only";
import { DATABASE_WAIT_SECONDS } from "#lib/contracts/limits.ts";
import { plusSeconds } from "#lib/core/clock.ts";

/**
 * A condition of every statement that decides who is signed in, or by which keys. A database that hung, or a network
 * that lost its packets, may bring a statement minutes after its request was told 503: then it must do nothing, since
 * somebody else may be at the browser by now (docs/decisions/0026).
 * @param now the placeholder of the request's time
 */
export function begunInTime(now: string): string {
  return `statement_timestamp() < ${now}::timestamptz + interval '${DATABASE_WAIT_SECONDS} seconds'`;
}

/** The same for a statement of Prisma's: when nobody waits any more for what a request of this time asks. */
export function givenUpAt(now: Date): Date {
  return plusSeconds(now, DATABASE_WAIT_SECONDS);
}
