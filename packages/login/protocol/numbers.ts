/** Every number of a login: one name, one place, the unit in the name. */

/** A challenge is valid for 30 seconds from its issue. */
export const CHALLENGE_LIFETIME_SECONDS = 30;
/** The browser requests a new code every 30 seconds. */
export const QR_REFRESH_SECONDS = 30;
/** The browser polls the status every 5 seconds. */
export const POLL_INTERVAL_SECONDS = 5;
/** Characters in a challenge's nonce. */
export const NONCE_LENGTH = 32;

/** A login session that was not refreshed for this long has ended (docs/protocol.md#3-login). */
export const LOGIN_SESSION_IDLE_SECONDS = 10 * 60;
/** How long an ended login session is kept, so that its status is 410 instead of 404. */
export const LOGIN_SESSION_RETENTION_SECONDS = 24 * 60 * 60;
/** Audit entries of logins are kept 30 days. */
export const LOGIN_EVENT_RETENTION_SECONDS = 30 * 24 * 60 * 60;
/** How long a browser stays signed in. */
export const BROWSER_SESSION_SECONDS = 7 * 24 * 60 * 60;
/** A browser that lost the answer to its sign-in can repeat it for this long, and gets the same session. */
export const SIGN_IN_REPEATED_SECONDS = 60;
/** A sign-in lets its browser session change the account for this long (docs/protocol.md#44-approval). */
export const APPROVAL_SECONDS = 10 * 60;
/** A login can be undone this long after it was answered (docs/protocol.md#11-who-is-asking-and-undo). */
export const UNDO_SECONDS = 10 * 60;
/** How long an account recognises a browser that has signed in. */
export const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60;
/** The shortest time between two updates of a browser session's last-seen time. */
export const BROWSER_SESSION_TOUCH_SECONDS = 5 * 60;

/** How long one request waits for the database in total, for all of its statements. */
export const DATABASE_WAIT_SECONDS = 10;
/** A longer `User-Agent` is cut to this length in UTF-8. Those of browsers have at most 180 bytes. */
export const USER_AGENT_LIMIT_BYTES = 200;
/** A wallet's description of its device is cut to these lengths in UTF-8. Pages show the first two. */
export const DEVICE_INFO_LIMIT_BYTES = { platform: 100, version: 100, device_id: 200 } as const;

/** How long a code's permission to bind a new key lasts. */
export const RECOVERY_PERMISSION_SECONDS = 15 * 60;
/**
 * If more wrong codes than this are entered in an hour, the operator is warned
 * (docs/protocol.md#102-post-apirecovery).
 */
export const WRONG_CODES_WARNED_PER_HOUR = 100;
/** A recovery that has ended is kept this long, so that the browser that recovered can still read the outcome. */
export const RECOVERY_RETENTION_SECONDS = 30 * 24 * 60 * 60;

/** Whole Unix seconds of a date. */
export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** `date` moved by `seconds`. */
export function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
