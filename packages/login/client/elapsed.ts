/** A point in time on both of a browser's clocks. */
export type Moment = {
  /** Milliseconds as in `Date.now()`. */
  wall: number;
  /** Milliseconds as in `performance.now()`. */
  steady: number;
};

export function thisMoment(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/**
 * Milliseconds since a point in time, on the clock that has advanced more. The wall clock can be set back, and the
 * monotonic clock stops in some browsers while the device sleeps.
 */
export function elapsedMs({ wall, steady }: Moment): number {
  return Math.max(Date.now() - wall, steadyMs({ steady }));
}

/**
 * Milliseconds since a point in time on the monotonic clock, which cannot be set. Used to limit how often something
 * happens.
 */
export function steadyMs({ steady }: Pick<Moment, "steady">): number {
  return performance.now() - steady;
}
