import "server-only";
import type { DefaultSession, NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { BROWSER_SESSION_SECONDS } from "#lib/contracts/limits.ts";
import { sameOriginPath } from "#lib/contracts/same-origin-path.ts";
import { now } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { REQUEST_ID } from "#lib/core/http/headers.ts";
import { log } from "#lib/core/log.ts";
import { endBrowserSessions, findBrowserSession } from "#lib/store/browser-session.ts";
import { redeemFastLogin } from "../fast/redeem-fast-login.ts";
import { redeemDemoLoginForBrowser } from "../hosted-demo/demo-login.ts";
import { type RedeemedLogin, type RedeemingBrowser, redeemLoginForBrowser } from "../login/redeem-login.ts";
import { callbackUrlCookie, decodeToken, readClaims, sessionCookie } from "./session-cookie.ts";
import { browserSessionIdFor, findOpenedBefore } from "./sign-in-attempt.ts";

declare module "next-auth" {
  interface Session {
    /** Absent when the token is none of ours. */
    user?: DefaultSession["user"] & { id: number };
  }
}

/** A sid as we make them; anything else is not looked up. */
const SID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * NextAuth with credentials of our own: `signIn("svc", { sid })` (flow A), `signIn("fast", { sid })` (flow C) and
 * `signIn("hosted", { sid })` (the demo integrator on flow B) redeem an authenticated login for the browser that
 * holds its cookie. Credentials need NextAuth's token strategy; each token is backed by a row, so that it
 * can be listed and revoked at once.
 * @param onFailure is told what failed on our side, which NextAuth would tell the caller or nobody
 */
export function authOptions(onFailure: (error: unknown) => void): NextAuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: BROWSER_SESSION_SECONDS },
    jwt: { decode: decodeToken },
    pages: { signIn: "/login", error: "/login" },
    cookies: { sessionToken: sessionCookie(), callbackUrl: callbackUrlCookie() },
    providers: [
      redeeming("svc", redeemLoginForBrowser, onFailure),
      redeeming("hosted", redeemDemoLoginForBrowser, onFailure),
      redeeming("fast", redeemFastLogin, onFailure),
    ],
    callbacks: {
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
        if (!claims) return;
        const { userId, browserSessionId: id } = claims;
        await tellFailure(onFailure, () =>
          endBrowserSessions({ now: now(), userId, id, reason: "signed_out" }),
        );
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

type Redeem = (browser: RedeemingBrowser) => Promise<RedeemedLogin | null>;

/**
 * A provider that redeems one flow's logins: the sid says which one, the browser's cookie does the proving. A browser
 * that had no answer asks again with the same `attempt`, and gets the session that it has opened.
 */
function redeeming(id: string, redeem: Redeem, onFailure: (error: unknown) => void) {
  return CredentialsProvider({
    id,
    name: id,
    credentials: { sid: { type: "text" }, attempt: { type: "text" } },
    async authorize(credentials, { headers = {} }) {
      const sid = credentials?.sid ?? "";
      if (!SID.test(sid)) return null;
      const attempt = credentials?.attempt;
      const secret = readBrowserCookie(headers.cookie ?? null, env().SECURE);
      const browserSessionId = browserSessionIdFor(sid, secret, attempt);
      const userAgent = headers["user-agent"] ?? null;
      const requestId = headers[REQUEST_ID] ?? "";
      const redeemed = await tellFailure(
        onFailure,
        async () =>
          (await redeem({ sid, secret, userAgent, browserSessionId, requestId })) ??
          (await findOpenedBefore(browserSessionId, attempt)),
      );
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
