import { processSingleton } from "../process/state.ts";

/** Whose sessions a site's signed-in browsers have, as far as this process has seen. */
const seen = processSingleton("site-sessions", () => ({ areOfLogin: false, areOfSite: false }));

/** The site has mounted `auth`, or has read `nextAuth`: a browser is signed out when its row of the login's ends. */
export function sessionsAreOfLogin(): void {
  seen().areOfLogin = true;
}

/** The site has called `redeem`: its browsers have sessions that the login cannot end. */
export function sessionsAreOfSite(): void {
  seen().areOfSite = true;
}

/**
 * Whether an undo signs the browser out. Wallets get no `undo` from a site where it would not: their user would read
 * that an attacker is signed out who is not. A site that has users of its own and has asked for neither `auth` nor
 * `nextAuth` may have sessions of another library, also before its first `redeem`.
 */
export function undoSignsOut(options: { findOrCreateUser?: unknown; onUndone?: unknown }): boolean {
  if (options.onUndone || !options.findOrCreateUser) return true;
  const { areOfLogin, areOfSite } = seen();
  return areOfLogin && !areOfSite;
}
