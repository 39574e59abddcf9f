import { processSingleton } from "../process/state.ts";

/** Which kinds of sessions the site has used in this process: the login's sessions or the site's own. */
const sessionKinds = processSingleton("site-sessions", () => ({
  hasLoginSessions: false,
  hasSiteSessions: false,
}));

/**
 * Called when the site mounts `auth` or reads `nextAuth`, so that deleting a browser session's row signs the browser
 * out.
 */
export function markSessionsManagedByLogin(): void {
  sessionKinds().hasLoginSessions = true;
}

/** Called when the site calls `redeem`. The login cannot end the sessions that the site then creates. */
export function markSessionsManagedBySite(): void {
  sessionKinds().hasSiteSessions = true;
}

/**
 * Returns whether an undo signs the browser out. If not, the site does not offer `undo`, because the wallet would
 * wrongly report that an attacker is signed out. The result is false for a site that has its own users but uses neither
 * `auth` nor `nextAuth`, even before its first `redeem`: it may use another library's sessions, which an undo does not
 * end.
 */
export function undoSignsOut(options: { findOrCreateUser?: unknown; onUndone?: unknown }): boolean {
  if (options.onUndone || !options.findOrCreateUser) return true;
  const { hasLoginSessions, hasSiteSessions } = sessionKinds();
  return hasLoginSessions && !hasSiteSessions;
}
