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

/** Called when the site calls `redeem`, whose sessions the login cannot end. */
export function markSessionsManagedBySite(): void {
  sessionKinds().hasSiteSessions = true;
}

/**
 * Returns whether an undo signs the browser out. If not, the site does not offer `undo`, because the wallet would
 * wrongly report that an attacker is signed out. A site that has its own users and uses neither `auth` nor `nextAuth`
 * may use another library's sessions, even before its first `redeem`.
 */
export function undoSignsOut(options: { findOrCreateUser?: unknown; onUndone?: unknown }): boolean {
  if (options.onUndone || !options.findOrCreateUser) return true;
  const { hasLoginSessions, hasSiteSessions } = sessionKinds();
  return hasLoginSessions && !hasSiteSessions;
}
