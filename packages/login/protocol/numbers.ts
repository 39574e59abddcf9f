export const CHALLENGE_LIFETIME_SECONDS = 30;
export const QR_REFRESH_SECONDS = 30;
export const POLL_INTERVAL_SECONDS = 5;
export const NONCE_LENGTH = 32;

/** Refreshing the session starts this time again (docs/protocol.md#3-login). */
export const LOGIN_SESSION_IDLE_SECONDS = 10 * 60;
/** During this time, an ended login session's status is 410 instead of 404. */
export const LOGIN_SESSION_RETENTION_SECONDS = 24 * 60 * 60;
export const LOGIN_EVENT_RETENTION_SECONDS = 30 * 24 * 60 * 60;
export const BROWSER_SESSION_SECONDS = 7 * 24 * 60 * 60;
/** A browser that did not receive the response to a sign-in can repeat it and get the same session. */
export const SIGN_IN_REPEAT_SECONDS = 60;
/** Starts at the sign-in that opened the browser session (docs/protocol.md#44-approval). */
export const APPROVAL_SECONDS = 10 * 60;
/** Starts when the login is answered (docs/protocol.md#11-who-is-asking-and-undo). */
export const UNDO_SECONDS = 10 * 60;
export const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60;
export const BROWSER_SESSION_TOUCH_SECONDS = 5 * 60;

/** Per request, in total over all of its statements. */
export const DATABASE_WAIT_SECONDS = 10;
/** In UTF-8. Longer values are truncated. Browsers send no more than 180 bytes. */
export const USER_AGENT_LIMIT_BYTES = 200;
/** In UTF-8. Longer values are truncated. Pages show the first two fields. */
export const DEVICE_INFO_LIMIT_BYTES = { platform: 100, version: 100, device_id: 200 } as const;

/** A new key can be bound for this long after a recovery code has been entered. */
export const RECOVERY_PERMISSION_SECONDS = 15 * 60;
/** Above this number, the operator is warned (docs/protocol.md#102-post-apirecovery). */
export const WRONG_CODES_WARNED_PER_HOUR = 100;
/** The recovering browser can still read the outcome of an ended recovery. */
export const RECOVERY_RETENTION_SECONDS = 30 * 24 * 60 * 60;

export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

export function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
