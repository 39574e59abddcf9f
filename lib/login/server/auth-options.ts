import type { NextAuthOptions } from "next-auth";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { BROWSER_SESSION_SECONDS } from "../protocol/numbers.ts";
import { addedKeyPath, sameOriginPath } from "../protocol/paths.ts";
import { findBrowserSession } from "../store/browser-session.ts";
import { hostCookie } from "./cookies.ts";
import { isSecure, type LoginCore } from "./core.ts";
import { type RedeemableFlow, redeemByRequest } from "./redeem-login.ts";
import { readClaims, type TokenClaims, tokenDecoder } from "./session-token.ts";

export type AuthSettings = {
  /** What can be redeemed, by the name of its provider: `signIn("svc", { sid })`. */
  flows: Record<string, RedeemableFlow>;
  /** Who the session's `user.id` says is signed in. */
  userIdOf: (session: TokenClaims) => Promise<number | string>;
  /** Is called with each failure on the server. NextAuth would show it to the caller, or drop it. */
  onFailure: (error: unknown) => void;
  /** Ends the session of a browser that signs out. */
  onSignOut: (session: TokenClaims) => Promise<void>;
  log: (level: "error" | "debug", code: string, error?: unknown) => void;
};

/**
 * NextAuth's options: its credentials providers redeem an authenticated login for the browser that holds its cookie.
 * Credentials need NextAuth's token strategy; each token is backed by a row, so that it can be listed and ended.
 * A site with options of its own adds the providers, callbacks and cookies to them.
 */
export function authOptions(core: LoginCore, settings: AuthSettings) {
  const { flows, userIdOf, onSignOut, log } = settings;
  const report = failureReporter(settings);
  const secure = isSecure(core);
  return {
    secret: core.secrets[0],
    session: { strategy: "jwt", maxAge: BROWSER_SESSION_SECONDS },
    jwt: { maxAge: BROWSER_SESSION_SECONDS, decode: tokenDecoder(core) },
    pages: { signIn: "/login", error: "/login" },
    cookies: {
      sessionToken: hostCookie("next-auth.session-token", secure),
      callbackUrl: hostCookie("next-auth.callback-url", secure),
    },
    providers: Object.entries(flows).map(([id, flow]) => redeemingProvider(core, id, flow, settings)),
    callbacks: {
      // Where NextAuth's client goes instead of signing in.
      signIn: ({ user }) => ("stopsAt" in user ? core.origin.origin + user.stopsAt : true),
      async jwt({ token, user }) {
        const signedIn = readClaims(user ? { ...user } : null);
        if (signedIn) return { ...signedIn };
        const claims = readClaims(token);
        if (!claims) throw new Error("This token is none of ours.");
        // A failure is no ended session, but NextAuth deletes the cookie in both cases: it is reported.
        const find = () => findBrowserSession(core.database, claims.browserSessionId, core.now());
        if (!(await report(find))) throw new Error("This session has ended.");
        return token;
      },
      async session({ session: { expires }, token }) {
        const claims = readClaims(token);
        const user: object | undefined = claims ? { id: await report(() => userIdOf(claims)) } : undefined;
        return { expires, user };
      },
      redirect({ url, baseUrl }) {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
        return baseUrl + sameOriginPath(path, "/");
      },
    },
    events: {
      async signOut({ token }) {
        const claims = readClaims(token);
        if (claims) await report(() => onSignOut(claims));
      },
    },
    logger: {
      error(code: string, metadata: Error | { error: Error }) {
        // A token whose session has ended is nothing to report: revocation works.
        if (code === "JWT_SESSION_ERROR") return;
        log("error", code, metadata instanceof Error ? metadata : metadata.error);
      },
      warn: (code: string) => log("debug", code),
      debug: (code: string) => log("debug", code),
    },
  } satisfies NextAuthOptions;
}

/**
 * A provider that redeems the logins of one flow: the sid says which one, the browser's cookie does the proving. A
 * key that was added elsewhere opens no session: its holder is sent to the page that asks.
 */
function redeemingProvider(core: LoginCore, id: string, flow: RedeemableFlow, settings: AuthSettings) {
  return {
    type: "credentials",
    id,
    name: id,
    credentials: { sid: { type: "text" }, attempt: { type: "text" } },
    async authorize(credentials, { headers = {} }) {
      const { sid = "", attempt } = credentials ?? {};
      const get = (name: string) => headers[name] ?? null;
      const requestId = get("x-request-id") ?? "";
      const redeemed = await failureReporter(settings)(() =>
        redeemByRequest(core, flow, { sid, attempt, requestId, headers: { get } }),
      );
      if (redeemed === "stopped") return { id: sid, stopsAt: addedKeyPath(core, sid) };
      return redeemed && { id: String(redeemed.userId), ...redeemed };
    },
  } satisfies CredentialsConfig;
}

function failureReporter({ onFailure }: AuthSettings) {
  return <Value>(act: () => Promise<Value>) =>
    act().catch((error: unknown) => {
      onFailure(error);
      throw error;
    });
}
