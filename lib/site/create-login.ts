import { isSid } from "#lib/login/protocol/qr-payload.ts";
import { readBrowserCookie } from "#lib/login/server/cookies.ts";
import { isSecure } from "#lib/login/server/core.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import {
  browserSessionIdFor,
  type RedeemedLogin,
  redeemForBrowser,
  SITE_LOGINS,
} from "#lib/login/server/redeem-login.ts";
import { currentSession, presentClaims, type TokenClaims } from "#lib/login/server/session-token.ts";
import { type BrowserSession, endBrowserSessions } from "#lib/login/store/browser-session.ts";
import { processSingleton } from "#lib/platform/process-singleton.ts";
import { answerAuthCall } from "#lib/sign-in/answer-auth-call.ts";
import { answerLogin, limitOf, renderer, requestIdOf, withHeaders } from "./answer-login.ts";
import { type LoginOptions, openSite, runCall, type Site } from "./site.ts";

type RouteHandler = (request: Request) => Promise<Response>;

/** A login, as a Next.js site uses it. */
export type Login = {
  /** For `app/api/svc/[...path]/route.ts` and `app/webhook/[...path]/route.ts`. */
  routes: Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", RouteHandler>;
  /** NextAuth, for `app/api/auth/[...nextauth]/route.ts`. */
  auth: Record<"GET" | "POST", RouteHandler>;
  /** The signed-in browser that sends these headers, or null. */
  currentSession(headers: Headers): Promise<BrowserSession | null>;
  /** The domain in every challenge. */
  domain(): Promise<string>;
  /**
   * For sites with sessions of another library: redeems an answered login, once, for the browser that started it
   * (docs/protocol.md#42-redemption).
   * @param headers the request's
   * @returns the user to sign in; null when there is nothing for this browser to redeem, and why is not told
   */
  redeem(headers: Headers, sid: string): Promise<RedeemedLogin | null>;
  /** Sets the login up when the server starts, for `instrumentation.ts`; otherwise the first request does. */
  start(): Promise<void>;
};

const kept = processSingleton<{ site: Promise<Site> | null }>("site", () => ({ site: null }));

/**
 * The login of a site. It is set up at the start, or at the first request, and kept once a process.
 * @param setUp says what the login works with
 */
export function createLogin(setUp: () => Promise<LoginOptions>): Login {
  const site = (): Promise<Site> => {
    // Set up again at the next request if it failed.
    kept().site ??= setUp()
      .then(openSite)
      .catch((error) => {
        kept().site = null;
        throw error;
      });
    return kept().site as Promise<Site>;
  };
  const answer: RouteHandler = async (request) => {
    const opened = await site();
    return runCall(() => answerLogin(opened, request));
  };
  const answerAuth: RouteHandler = async (request) => {
    const opened = await site();
    return runCall(() => askAuth(opened, request));
  };
  return {
    routes: {
      ...{ GET: answer, HEAD: answer, POST: answer, PUT: answer },
      ...{ PATCH: answer, DELETE: answer, OPTIONS: answer },
    },
    auth: { GET: answerAuth, POST: answerAuth },
    async currentSession(headers) {
      const { core } = await site();
      return runCall(() => currentSession(core, headers));
    },
    domain: async () => (await site()).core.origin.hostname,
    async redeem(headers, sid) {
      const { core } = await site();
      if (!isSid(sid)) return null;
      const secret = readBrowserCookie(headers.get("cookie"), isSecure(core));
      const redeemed = await runCall(async () =>
        redeemForBrowser(core, SITE_LOGINS, {
          requestId: requestIdOf({ headers }),
          sid,
          secret,
          userAgent: headers.get("user-agent"),
          browserSessionId: browserSessionIdFor(sid, secret, undefined),
          presentSessionId: (await presentClaims(core, headers))?.browserSessionId ?? null,
        }),
      );
      return redeemed === "stopped" ? null : redeemed;
    },
    async start() {
      await site();
    },
  };
}

async function askAuth(site: Site, request: Request): Promise<Response> {
  const { core, pool, onFailure } = site;
  const requestId = requestIdOf(request);
  const path = new URL(request.url).pathname.split("/api/auth/")[1]?.split("/") ?? [];
  const door = {
    core,
    flows: { svc: SITE_LOGINS },
    log: (level: "error" | "debug", code: string, error?: unknown) => {
      if (level === "error") onFailure(`next-auth: ${code}`, error);
    },
    signOut: (session: TokenClaims, secret: string | null) => signOut(site, session, secret),
    assertDatabaseAnswers: async () => void (await pool.query({ name: "answers", text: "SELECT 1" })),
    failures: () => limitOf(site, "failed-sign-in", request),
    render: renderer(site, requestId),
  };
  return withHeaders(site, await answerAuthCall(door, request, path), requestId, "api");
}

async function signOut({ core }: Site, session: TokenClaims, secret: string | null): Promise<void> {
  const { userId, browserSessionId: id } = session;
  const browserHash = secret === null ? null : hashSecret(secret);
  await endBrowserSessions(core.database, {
    ...{ now: core.now(), userId, id, browserHash },
    reason: "signed_out",
    endsHere: true,
  });
}
