/** A moment, on both of a browser's clocks. */
export type Moment = {
  /** Milliseconds of `Date.now()`. */
  wall: number;
  /** Milliseconds of `performance.now()`. */
  steady: number;
};

export function thisMoment(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/**
 * Milliseconds since a moment, by the clock that has gone further. The wall clock can be set back; the steady one
 * stops in some browsers while the device sleeps.
 */
export function elapsedMs({ wall, steady }: Moment): number {
  return Math.max(Date.now() - wall, steadyMs({ steady }));
}

/** Milliseconds since a moment by the steady clock, which nothing sets: for a limit on how often something happens. */
export function steadyMs({ steady }: Pick<Moment, "steady">): number {
  return performance.now() - steady;
}
