/** Every number of fast auth: one name, one place, the unit in the name. */

/** Specification 2.7: challenges kept for a session of flow C; the fifth pushes out the first. */
export const FAST_CHALLENGES_KEPT = 4;
/** Specification 8, contract 6: each of them lives two minutes. */
export const FAST_CHALLENGE_LIFETIME_SECONDS = 120;
