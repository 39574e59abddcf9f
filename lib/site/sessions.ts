import { hashSecret } from "#lib/login/server/random.ts";
import { redeemByRequest } from "#lib/login/server/redeem-login.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import type { TokenClaims } from "#lib/login/server/session-token.ts";
import { endBrowserSessions, type SessionsEnd } from "#lib/login/store/browser-session.ts";
import { retryOnConflict } from "#lib/login/store/database.ts";
import { requestIdOf } from "./answer-login.ts";
import type { Site } from "./site.ts";

/** A browser that is signed in from now on, and the site's id of its user. */
export type Redeemed = { userId: number | string; browserSessionId: string };

/**
 * Redeems an answered login, once, for the browser that sends these headers (docs/protocol.md#42-redemption).
 * @param attempt names the page's sign-in, so that it can be repeated
 */
export async function redeem(
  { core, users }: Site,
  headers: SentHeaders,
  sid: string,
  attempt?: string,
): Promise<Redeemed | null> {
  const requestId = requestIdOf({ headers });
  // The question to an added key's holder is answered with a session of the login's own, which is not used here.
  const redeemed = await redeemByRequest(core, users.flow, { sid, attempt, headers, requestId }, true);
  if (redeemed === "stopped" || redeemed === null) return null;
  const { userId, browserSessionId } = redeemed;
  const id = await users.ofSession({ id: browserSessionId, userId });
  return id === null ? null : { userId: id, browserSessionId };
}

/**
 * Ends a browser's session, if it has one, and the logins in progress of the browser that holds the secret
 * (docs/protocol.md#43-signing-out).
 * @param forget ends those that are not in `login_session`
 */
export async function signOut(
  { core }: Site,
  session: TokenClaims | null,
  secret: string | null,
  forget?: (end: SessionsEnd) => Promise<void>,
): Promise<void> {
  if (!session && secret === null) return;
  const { userId = null, browserSessionId: id = null } = session ?? {};
  const end: SessionsEnd = {
    ...{ now: core.now(), id, userId },
    browserHash: secret === null ? null : hashSecret(secret),
    reason: "signed_out",
    endsHere: true,
  };
  await retryOnConflict(async () => {
    await endBrowserSessions(core.database, end);
    await forget?.(end);
  });
}
