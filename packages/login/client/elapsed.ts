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
 * Returns the milliseconds since a point in time, on the clock that has advanced more. The wall clock can be set back,
 * and the monotonic clock stops in some browsers while the device sleeps.
 */
export function elapsedMs({ wall, steady }: Moment): number {
  return Math.max(Date.now() - wall, steadyMs({ steady }));
}

/**
 * Returns the milliseconds since a point in time on the monotonic clock, which cannot be set. It limits how often
 * something happens.
 */
export function steadyMs({ steady }: Pick<Moment, "steady">): number {
  return performance.now() - steady;
}
