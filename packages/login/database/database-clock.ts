import { adjustClock, onStopping } from "../process/state.ts";
import type { Statement } from "./database.ts";

const CHECK_MS = 1_000;
const READ_EVERY_MS = 30_000;
/**
 * A reading's error is at most half of its duration. The result of a slower reading is discarded, and the next check
 * reads the clock again.
 */
const SLOW_READING_MS = 100;
/**
 * If the wall clock and the monotonic clock drift apart by this much, the machine has slept or its clock has been set.
 */
const CLOCK_JUMP_MS = 500;

const READ: Statement = {
  name: "read-clock",
  text: "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
};

export type DatabaseClockSource = {
  run: (read: Statement) => Promise<{ ms: number }[]>;
  warn: (message: string, error?: unknown) => void;
};

/**
 * Reads the database's time immediately, then every 30 seconds, and within a second after the machine has slept or its
 * clock has been set. While the database is unreachable, the process's clock continues from the last reading.
 */
export async function followDatabaseClock(source: DatabaseClockSource): Promise<void> {
  let readAt = await readClock(source, Number.POSITIVE_INFINITY);
  let apart = clocksApart();
  let reading = false;
  const timer = setInterval(async () => {
    // Wait for the previous reading. If the database hung, another reading would otherwise start every second.
    if (reading) return;
    const hasJumped = Math.abs(clocksApart() - apart) > CLOCK_JUMP_MS;
    if (!hasJumped && performance.now() - readAt < READ_EVERY_MS) return;
    if (hasJumped) source.warn("this machine's clock was set, or the machine slept");
    apart = clocksApart();
    reading = true;
    readAt = Math.max(
      readAt,
      await readClock(source, hasJumped ? Number.POSITIVE_INFINITY : SLOW_READING_MS),
    );
    reading = false;
  }, CHECK_MS);
  onStopping(() => clearInterval(timer));
}

/** @returns the time of the reading as `performance.now()` returns it, or -Infinity if the reading failed */
async function readClock({ run, warn }: DatabaseClockSource, slowestMs: number): Promise<number> {
  const startedAt = performance.now();
  try {
    const [row] = await run(READ);
    const answeredAt = performance.now();
    if (!row || answeredAt - startedAt > slowestMs) return Number.NEGATIVE_INFINITY;
    adjustClock(row.ms, (startedAt + answeredAt) / 2);
    return answeredAt;
  } catch (error) {
    warn("the database's clock was not read", error);
    return Number.NEGATIVE_INFINITY;
  }
}

function clocksApart(): number {
  return Date.now() - performance.now();
}
