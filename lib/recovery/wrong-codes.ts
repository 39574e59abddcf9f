import { Refusal } from "#lib/login/protocol/errors.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { COUNT, type CountRow } from "#lib/platform/http/limit-counters.ts";
import { WRONG_CODES_WARNED_PER_HOUR } from "./numbers.ts";

/** Who hears of wrong codes. Nobody is refused for them: 120 bits need no limit for all clients together. */
export type WrongCodes = {
  /** Is told of each. */
  onWrongCode?: () => void;
  /** Is told once, by one of the processes, when there were many within an hour. */
  onMany: (message: string) => void;
};

const WINDOW_SECONDS = 60 * 60;
const MESSAGE = `more than ${WRONG_CODES_WARNED_PER_HOUR} wrong recovery codes within an hour`;

/**
 * Makes what passes on the outcome of a try of a code, and counts it if the code was wrong, in the database of all
 * processes. Beyond the number that is told of it counts no more until the hour is over, or every wrong code would wait
 * for one row.
 */
export function wrongCodeCounter({ onWrongCode, onMany }: WrongCodes) {
  let countsFrom = 0;
  const isTheFirstOfMany = async ({ database }: LoginCore) => {
    const values = ["wrong-recovery-codes", null, WRONG_CODES_WARNED_PER_HOUR, WINDOW_SECONDS];
    const [row] = await database.run<CountRow>(COUNT, values);
    const beyond = (row?.counted_requests ?? 0) - WRONG_CODES_WARNED_PER_HOUR;
    if (row && beyond > 0) countsFrom = performance.now() + row.counted_reset_ms;
    return beyond === 1;
  };
  return async <Value>(core: LoginCore, outcome: Promise<Value>): Promise<Value> => {
    try {
      return await outcome;
    } catch (error) {
      if (error instanceof Refusal && error.code === "invalid_recovery_code") {
        onWrongCode?.();
        if (performance.now() >= countsFrom && (await isTheFirstOfMany(core))) onMany(MESSAGE);
      }
      throw error;
    }
  };
}
