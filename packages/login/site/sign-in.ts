import { z } from "zod";
import { retryOnConflict } from "../database/database.ts";
import { limitDatabaseWait } from "../database/database-wait.ts";
import { jsonResponse } from "../http/call.ts";
import { refusal } from "../protocol/errors.ts";
import { addedKeyPath } from "../protocol/paths.ts";
import {
  createSessionCookie,
  createStaleCookieHeaders,
  endBrowserSessions,
  type SessionsToEnd,
} from "../server/browser-session.ts";
import type { TokenClaims } from "../server/core.ts";
import { type RedeemableFlow, redeemFromRequest } from "../server/redeem-login.ts";
import { assertSameOrigin, type RequestHeaders } from "../server/web-request.ts";
import { countClientRequest, readRequestId } from "./answer-login.ts";
import type { Site, SiteCall } from "./plugin.ts";
import { createRedemptionSteps, endPendingLogins } from "./plugin.ts";

const SignIn = z.object({ sid: z.string(), attempt: z.string().optional() });

/**
 * Handles `POST /api/svc/sign-in`, which opens the same session as NextAuth's `signIn`, but in one request instead of
 * two (docs/protocol.md#35-signing-in).
 * @throws {Refusal} 403 if another site's page sent the request; 401 `session_not_found` if this browser has nothing to
 * redeem. The message gives a reason only if this browser's own recovery prevented the sign-in.
 */
export async function signIn(site: Site, flow: RedeemableFlow, call: SiteCall): Promise<Response> {
  const { request, requestId } = call;
  const { core } = site;
  const { headers } = request;
  assertSameOrigin(request, core.origin);
  const { sid, attempt } = await call.body(SignIn);
  const browser = createRedemptionSteps(site, headers);
  const redeemed = await redeemFromRequest(core, browser.wrapFlow(flow), {
    sid,
    attempt,
    headers,
    requestId,
  });
  const cookies = browser.setCookies();
  if (redeemed === null) {
    // If the response sets a cookie, a recovery is pending, which does not count as a failed sign-in.
    if (cookies.length === 0) await countClientRequest(site, "failed-sign-in", call);
    throw refusal(
      "session_not_found",
      browser.refusalMessage() ??
        "This browser has no answered login with that sid. Get a new code from /api/svc/qr.",
      { status: 401, headers: cookies[0] ? { "Set-Cookie": cookies[0] } : {} },
    );
  }
  if (redeemed === "unconfirmed") return jsonResponse(200, { redirect: addedKeyPath(core, sid) });
  const response = jsonResponse(200, { redirect: core.afterLogin });
  response.headers.append("Set-Cookie", await createSessionCookie(core, redeemed));
  const staleCookies = await createStaleCookieHeaders(core, headers.get("cookie"));
  for (const header of [...staleCookies, ...cookies]) response.headers.append("Set-Cookie", header);
  return response;
}

export type SignInRedirect = { path: string; setCookie: string | null };

/** Works without scripts. */
export function signInRedirectResponse({ path, setCookie }: SignInRedirect): Response {
  const headers = new Headers({ Location: path });
  if (setCookie) headers.set("Set-Cookie", setCookie);
  return new Response(null, { status: 303, headers });
}

/** `userId` is the user's id at the site. */
export type RedeemedSession = { userId: number | string; browserSessionId: string };

/**
 * A login can be redeemed only once (docs/protocol.md#42-redemption).
 * @param attempt identifies the page's sign-in, so that the page can repeat it
 */
export async function redeem(
  { core, users }: Site,
  headers: RequestHeaders,
  sid: string,
  attempt?: string,
): Promise<RedeemedSession | null> {
  const requestId = readRequestId({ headers });
  // Does not ask the holder of an added key for consent: the page that asks needs a session of the login, which this
  // site does not use.
  const redeemed = await redeemFromRequest(core, users.flow, { sid, attempt, headers, requestId }, true);
  if (redeemed === "unconfirmed" || redeemed === null) return null;
  const { userId, browserSessionId } = redeemed;
  const id = await users.ofSession({ id: browserSessionId, userId });
  return id === null ? null : { userId: id, browserSessionId };
}

/** @throws {Refusal} as `endSiteSessions` */
export async function endSiteSession(
  site: Site,
  { sid, userId }: { sid: string; userId: number | null },
): Promise<void> {
  if (!site.options.onUndone || userId === null) return;
  const id = await site.users.idOf(userId);
  // The site has never signed in this user, so there is no session to end.
  if (id !== null) await endSiteSessions(site, { sids: [sid], userId: id });
}

/** @throws {Refusal} 503 if the site's hook fails. The wallet or the browser can then repeat its request */
export async function endSiteSessions(
  { onFailure, options: { onUndone } }: Site,
  { sids, userId }: { sids: readonly string[]; userId: number | string },
): Promise<void> {
  if (!onUndone) return;
  try {
    await Promise.all(sids.map((sid) => limitDatabaseWait(async () => onUndone({ sid, userId }))));
  } catch (error) {
    onFailure("onUndone failed: the request can be repeated", error);
    throw refusal("service_unavailable", "The session could not be ended. Try again in a moment.", {
      headers: { "Retry-After": "2" },
    });
  }
}

/** Also ends the browser's logins in progress (docs/protocol.md#43-signing-out). */
export async function signOut(
  site: Site,
  session: TokenClaims | null,
  browserHash: Uint8Array | null,
): Promise<void> {
  const { core } = site;
  if (!session && browserHash === null) return;
  const { userId = null, browserSessionId: id = null } = session ?? {};
  const end: SessionsToEnd = {
    ...{ now: core.now(), id, userId },
    ...{ browserHash, reason: "signed_out", endsHere: true },
  };
  await retryOnConflict(async () => {
    await endBrowserSessions(core.database, end);
    await endPendingLogins(site, end);
  });
}
