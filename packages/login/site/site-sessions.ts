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
 * Whether an undo signs the browser out. Otherwise the site does not offer `undo`, because the wallet would report an
 * attacker as signed out who is not. A site that has its own users and uses neither `auth` nor
 * `nextAuth` may have sessions of another library, also before its first `redeem`.
 */
export function undoSignsOut(options: { findOrCreateUser?: unknown; onUndone?: unknown }): boolean {
  if (options.onUndone || !options.findOrCreateUser) return true;
  const { areOfLogin, areOfSite } = seen();
  return areOfLogin && !areOfSite;
}
