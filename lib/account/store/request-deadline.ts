import { DATABASE_WAIT_SECONDS } from "#lib/login/protocol/numbers.ts";
import { plusSeconds } from "#lib/login/protocol/time.ts";

/** The time after which nobody waits for the answer to a request of `now`: `startedInTime` for Prisma's queries. */
export function requestDeadline(now: Date): Date {
  return plusSeconds(now, DATABASE_WAIT_SECONDS);
}
