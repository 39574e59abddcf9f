export type Moment = {
  wall: number;
  /** This clock cannot be set. */
  steady: number;
};

export function currentMoment(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/**
 * Uses whichever clock has advanced more. The wall clock can be set back, and in some browsers the monotonic clock
 * stops while the device sleeps.
 */
export function elapsedMs({ wall, steady }: Moment): number {
  return Math.max(Date.now() - wall, monotonicElapsedMs({ steady }));
}

/** For limits on how often something happens, because this clock cannot be set. */
export function monotonicElapsedMs({ steady }: Pick<Moment, "steady">): number {
  return performance.now() - steady;
}
