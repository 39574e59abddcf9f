/** A point in time on both of the browser's clocks. */
export type Moment = {
  /** In milliseconds, as `Date.now()` returns it. */
  wall: number;
  /** In milliseconds, as `performance.now()` returns it. This clock cannot be set. */
  steady: number;
};

export function currentMoment(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/**
 * Returns the milliseconds since a moment, on whichever clock has advanced more. The wall clock can be set back, and in
 * some browsers the monotonic clock stops while the device sleeps.
 */
export function elapsedMs({ wall, steady }: Moment): number {
  return Math.max(Date.now() - wall, monotonicElapsedMs({ steady }));
}

/**
 * Returns the milliseconds since a moment on the monotonic clock, which cannot be set. Use it to limit how often
 * something happens.
 */
export function monotonicElapsedMs({ steady }: Pick<Moment, "steady">): number {
  return performance.now() - steady;
}
