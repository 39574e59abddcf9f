/** Every number of fast auth: one name, one place, the unit in the name. */

/** Challenges kept for a session of fast login; the fifth pushes out the first. */
export const FAST_CHALLENGES_KEPT = 4;
/** Each of them lives two minutes. */
export const FAST_CHALLENGE_LIFETIME_SECONDS = 120;
