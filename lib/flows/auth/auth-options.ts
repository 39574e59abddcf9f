import "server-only";
import type { DefaultSession, NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { addedKeyPath } from "#lib/contracts/added-key.ts";
import { BROWSER_SESSION_SECONDS } from "#lib/contracts/limits.ts";
import { sameOriginPath } from "#lib/contracts/same-origin-path.ts";
import { now } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { REQUEST_ID } from "#lib/core/http/headers.ts";
import { isSid } from "#lib/core/http/require-sid.ts";
import { log } from "#lib/core/log.ts";
import { findBrowserSession } from "#lib/store/browser-session.ts";
import type { RedeemedFlow } from "#lib/store/redemption.ts";
import { redeemForBrowser } from "../login/redeem-login.ts";
import { presentClaims } from "./current-session.ts";
import {
  callbackUrlCookie,
  decodeToken,
  readClaims,
  sessionCookie,
  type TokenClaims,
} from "./session-cookie.ts";
import { browserSessionIdFor, findOpenedBefore } from "./sign-in-attempt.ts";

declare module "next-auth" {
  interface Session {
    /** Absent when the token is none of ours. */
    user?: DefaultSession["user"] & { id: number };
  }
  interface User {
    /** The page of ours at which this sign-in stops: nobody is signed in. */
    stopsAt?: string;
  }
}

/**
 * NextAuth with credentials of our own: `signIn("svc", { sid })` (flow A), `signIn("fast", { sid })` (flow C) and
 * `signIn("hosted", { sid })` (the demo integrator on flow B) redeem an authenticated login for the browser that
 * holds its cookie. Credentials need NextAuth's token strategy; each token is backed by a row, so that it
 * can be listed and revoked at once.
 * @param onFailure is told what failed on our side, which NextAuth would tell the caller or nobody
 * @param onSignOut ends the session of a browser that signs out
 */
export function authOptions(
  onFailure: (error: unknown) => void,
  onSignOut: (session: TokenClaims) => Promise<void>,
): NextAuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: BROWSER_SESSION_SECONDS },
    jwt: { decode: decodeToken },
    pages: { signIn: "/login", error: "/login" },
    cookies: { sessionToken: sessionCookie(), callbackUrl: callbackUrlCookie() },
    providers: [
      redeeming("svc", "integrator", onFailure),
      redeeming("hosted", "hosted", onFailure),
      redeeming("fast", "fast", onFailure),
    ],
    callbacks: {
      // Where NextAuth's client goes instead of signing in.
      signIn: ({ user: { stopsAt } }) => (stopsAt ? env().APP_URL.origin + stopsAt : true),
      async jwt({ token, user }) {
        const signedIn = readClaims(user ? { ...user } : null);
        if (signedIn) return { ...signedIn };
        const claims = readClaims(token);
        if (!claims) throw new Error("This token is none of ours.");
        // Told apart from a token without a session: NextAuth would delete the cookie for either.
        const find = () => findBrowserSession(claims.browserSessionId, now());
        if (!(await tellFailure(onFailure, find))) throw new Error("This session has ended.");
        return token;
      },
      session({ session, token }) {
        const claims = readClaims(token);
        return { expires: session.expires, user: claims ? { id: claims.userId } : undefined };
      },
      redirect({ url, baseUrl }) {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
        return baseUrl + sameOriginPath(path, "/");
      },
    },
    events: {
      async signOut({ token }) {
        const claims = readClaims(token);
        if (claims) await tellFailure(onFailure, () => onSignOut(claims));
      },
    },
    logger: {
      error(code, metadata) {
        // A token whose session has ended is nothing to report: revocation works.
        if (code === "JWT_SESSION_ERROR") return;
        log().error({ code, error: metadata instanceof Error ? metadata : metadata.error }, "sign-in failed");
      },
      warn: (code) => log().debug({ code }, "next-auth"),
      debug: (code) => log().debug({ code }, "next-auth"),
    },
  };
}

/**
 * A provider that redeems one flow's logins: the sid says which one, the browser's cookie does the proving. A browser
 * that had no answer asks again with the same `attempt`, and gets the session that it has opened. A key that was added
 * elsewhere opens none: its holder is sent to the page that asks (contract 3).
 */
function redeeming(id: string, flow: RedeemedFlow, onFailure: (error: unknown) => void) {
  return CredentialsProvider({
    id,
    name: id,
    credentials: { sid: { type: "text" }, attempt: { type: "text" } },
    async authorize(credentials, { headers = {} }) {
      const sid = credentials?.sid ?? "";
      if (!isSid(sid)) return null;
      const attempt = credentials?.attempt;
      const secret = readBrowserCookie(headers.cookie ?? null, env().SECURE);
      const browserSessionId = browserSessionIdFor(sid, secret, attempt);
      const userAgent = headers["user-agent"] ?? null;
      const requestId = headers[REQUEST_ID] ?? "";
      const redeemed = await tellFailure(onFailure, async () => {
        const presentSessionId = (await presentClaims(new Headers(headers)))?.browserSessionId ?? null;
        const browser = { sid, secret, userAgent, browserSessionId, presentSessionId, requestId };
        return (await redeemForBrowser(flow, browser)) ?? (await findOpenedBefore(browserSessionId, attempt));
      });
      if (redeemed === "stopped") return { id: sid, stopsAt: addedKeyPath(sid, null) };
      return redeemed && { id: String(redeemed.userId), ...redeemed };
    },
  });
}

async function tellFailure<Value>(onFailure: (error: unknown) => void, act: () => Promise<Value>) {
  try {
    return await act();
  } catch (error) {
    onFailure(error);
    throw error;
  }
}
