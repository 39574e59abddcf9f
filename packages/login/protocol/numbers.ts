/** Every number of a login: one name, one place, the unit in the name. */

/** A challenge lives 30 seconds by its own issue time. */
export const CHALLENGE_LIFETIME_SECONDS = 30;
/** The browser asks for a new code every 30 seconds. */
export const QR_REFRESH_SECONDS = 30;
/** The browser asks for the status every 5 seconds. */
export const POLL_INTERVAL_SECONDS = 5;
/** Characters in a challenge's nonce. */
export const NONCE_LENGTH = 32;

/** A login session that was not refreshed for this long has ended (docs/protocol.md#3-login). */
export const LOGIN_SESSION_IDLE_SECONDS = 10 * 60;
/** An ended login session is kept this long, so that its status reads 410 and not 404. */
export const LOGIN_SESSION_KEPT_SECONDS = 24 * 60 * 60;
/** Audit entries of logins are kept 30 days. */
export const LOGIN_EVENT_KEPT_SECONDS = 30 * 24 * 60 * 60;
/** A browser stays signed in this long; then the wallet is asked again. */
export const BROWSER_SESSION_SECONDS = 7 * 24 * 60 * 60;
/** A browser that lost the answer to its sign-in can repeat it for this long, and gets the same session. */
export const SIGN_IN_REPEATED_SECONDS = 60;
/** A sign-in lets its browser session change the account for this long (docs/protocol.md#44-approval). */
export const APPROVAL_SECONDS = 10 * 60;
/** A login can be undone this long after it was answered (docs/protocol.md#11-who-is-asking-and-taking-it-back). */
export const UNDO_SECONDS = 10 * 60;
/** A browser that has signed in is known to its account this long. */
export const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60;
/** A signed-in browser's last-seen time is written at most this often. */
export const BROWSER_SESSION_TOUCH_SECONDS = 5 * 60;

/** How long one request waits for the database in all, however many statements it runs. */
export const DATABASE_WAIT_SECONDS = 10;
/** A longer `User-Agent` is cut to this length in UTF-8. Browsers' are at most 180. */
export const USER_AGENT_KEPT_BYTES = 200;
/** A wallet's description of its device is cut to these lengths in UTF-8. People see the first two. */
export const DEVICE_INFO_KEPT_BYTES = { platform: 100, version: 100, device_id: 200 } as const;

/** How long a code's permission to bind a new key lasts. */
export const RECOVERY_PERMISSION_SECONDS = 15 * 60;
/** The operator is warned of more wrong codes than this in an hour (docs/protocol.md#102-post-apirecovery). */
export const WRONG_CODES_WARNED_PER_HOUR = 100;
/** A recovery that has ended is kept this long, so that the browser that recovered can still read the outcome. */
export const RECOVERY_KEPT_SECONDS = 30 * 24 * 60 * 60;
