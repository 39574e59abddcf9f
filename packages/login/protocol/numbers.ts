/** How long a challenge is valid after it is issued. */
export const CHALLENGE_LIFETIME_SECONDS = 30;
/** How often the browser requests a new code. */
export const QR_REFRESH_SECONDS = 30;
/** How often the browser polls the status. */
export const POLL_INTERVAL_SECONDS = 5;
/** The number of characters in a challenge's nonce. */
export const NONCE_LENGTH = 32;

/** How long a login session lasts unless it is refreshed (docs/protocol.md#3-login). */
export const LOGIN_SESSION_IDLE_SECONDS = 10 * 60;
/** How long an ended login session is stored. During this time, its status is 410 instead of 404. */
export const LOGIN_SESSION_RETENTION_SECONDS = 24 * 60 * 60;
/** How long audit entries about logins are stored. */
export const LOGIN_EVENT_RETENTION_SECONDS = 30 * 24 * 60 * 60;
/** How long a browser stays signed in. */
export const BROWSER_SESSION_SECONDS = 7 * 24 * 60 * 60;
/** How long a browser can repeat a sign-in whose response it did not receive, and get the same session. */
export const SIGN_IN_REPEAT_SECONDS = 60;
/**
 * How long a browser session can change the account after the sign-in that opened it (docs/protocol.md#44-approval).
 */
export const APPROVAL_SECONDS = 10 * 60;
/** How long a login can be undone after it has been answered (docs/protocol.md#11-who-is-asking-and-undo). */
export const UNDO_SECONDS = 10 * 60;
/** How long an account recognises a browser after the browser has signed in. */
export const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60;
/** The minimum time between two updates of a browser session's last-seen time. */
export const BROWSER_SESSION_TOUCH_SECONDS = 5 * 60;

/** How long one request waits for the database, in total over all of its statements. */
export const DATABASE_WAIT_SECONDS = 10;
/**
 * The maximum length of a stored `User-Agent` in UTF-8 bytes. Longer values are truncated. Browsers send no more than
 * 180 bytes.
 */
export const USER_AGENT_LIMIT_BYTES = 200;
/**
 * The maximum lengths, in UTF-8 bytes, of the stored fields that describe a wallet's device. Longer values are
 * truncated. Pages show the first two fields.
 */
export const DEVICE_INFO_LIMIT_BYTES = { platform: 100, version: 100, device_id: 200 } as const;

/** How long a new key can be bound after a recovery code has been entered. */
export const RECOVERY_PERMISSION_SECONDS = 15 * 60;
/**
 * If more wrong recovery codes than this are entered within an hour, the operator is warned
 * (docs/protocol.md#102-post-apirecovery).
 */
export const WRONG_CODES_WARNED_PER_HOUR = 100;
/** How long an ended recovery is stored, so that the recovering browser can still read the outcome. */
export const RECOVERY_RETENTION_SECONDS = 30 * 24 * 60 * 60;

/** Converts a date to whole Unix seconds. */
export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

export function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
