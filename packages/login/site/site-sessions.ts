import { processSingleton } from "../process/state.ts";

/** What the site has used in this process: the login's sessions, its own, or both. */
const sessionKinds = processSingleton("site-sessions", () => ({
  hasLoginSessions: false,
  hasSiteSessions: false,
}));

/** Called when the site mounts `auth` or reads `nextAuth`. Its sessions then end when their rows are deleted. */
export function markSessionsManagedByLogin(): void {
  sessionKinds().hasLoginSessions = true;
}

/** Called when the site calls `redeem`. The login cannot end the sessions that the site then creates. */
export function markSessionsManagedBySite(): void {
  sessionKinds().hasSiteSessions = true;
}

/**
 * If an undo does not sign out the browser, it is not offered to wallets, because they would wrongly report that an
 * attacker has been signed out. Returns false for a site that has its own users but uses neither `auth` nor `nextAuth`,
 * even before its first `redeem`. Such a site might use another library's sessions, which an undo does not end.
 */
export function doesUndoSignOut(options: { findOrCreateUser?: unknown; onUndone?: unknown }): boolean {
  if (options.onUndone || !options.findOrCreateUser) return true;
  const { hasLoginSessions, hasSiteSessions } = sessionKinds();
  return hasLoginSessions && !hasSiteSessions;
}
