/** Every number of recovery: one name, one place, the unit in the name. */

/** How long a code's permission to bind a new key lasts. */
export const RECOVERY_PERMISSION_SECONDS = 15 * 60;
/** Beyond so many wrong codes within an hour the operator is warned (docs/protocol.md#102-post-apirecovery). */
export const WRONG_CODES_WARNED_PER_HOUR = 100;
/** What became of a recovery is kept this long, so that the browser that recovered can still read it. */
export const RECOVERY_KEPT_SECONDS = 30 * 24 * 60 * 60;
