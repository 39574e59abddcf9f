import { DATABASE_WAIT_SECONDS } from "#lib/login/protocol/numbers.ts";
import { plusSeconds } from "#lib/login/protocol/time.ts";

/** When nobody waits any more for what a request of this time asks: `begunInTime` for a query of Prisma's. */
export function givenUpAt(now: Date): Date {
  return plusSeconds(now, DATABASE_WAIT_SECONDS);
}
