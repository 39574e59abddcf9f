/** Every number of a run of the conformance kit against a wallet on a phone. */

/** A run ends so long after its start. */
export const RUN_SECONDS = 60 * 60;
/** Codes that a run shows: each case several times. */
export const CODES_AT_MOST = 200;
/** Arrivals that a run keeps. A code is public, so anybody can post to its address. */
export const ARRIVALS_AT_MOST = 200;
/** What is kept of what is wrong with an answer. */
export const PROBLEM_CHARACTERS = 200;
