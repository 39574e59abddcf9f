import { AsyncLocalStorage } from "node:async_hooks";
import type { NextAuthOptions, User } from "next-auth";
import type { JWT } from "next-auth/jwt";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { countAnsweredRequest } from "../../http/call.ts";
import { findBrowserSession, touchBrowserSession } from "../../server/browser-session.ts";
import { createExpiredBindingCookie, readBrowserHash } from "../../server/cookies.ts";
import {
  createClientLimit,
  createErrorRenderer,
  readRequestId,
  requireClientAddress,
} from "../../site/answer-login.ts";
import { ConfigurationError, writeFailure } from "../../site/options.ts";
import type { PluginContext, Site } from "../../site/plugin.ts";
import { runCall } from "../../site/runtime.ts";
import { redeem, signOut } from "../../site/sign-in.ts";
import { markSessionsManagedByLogin } from "../../site/site-sessions.ts";
import { assertFindOrCreateUser } from "../../site/site-users.ts";

/** docs/existing-application.md */
export type NextAuthIntegration = {
  /**
   * Adds the provider, and callbacks that wrap the site's own callbacks and manage the wallets' sessions. If the
   * options cannot work, the site reports why and does not start.
   */
  options(siteOptions: NextAuthOptions): NextAuthOptions;
  /** Its id is `svc`, and its user's `id` is the site's id as a string. */
  provider: CredentialsConfig;
  /**
   * A wallet's token remains valid only while its browser session exists. Writes the site's user into the token. Does
   * not change other tokens.
   * @throws if the session has ended, in which case NextAuth signs out the browser
   */
  jwt<Token extends JWT>(call: { token: Token; user?: Partial<User> | null }): Promise<Token>;
  /** Ends the browser session and this browser's logins in progress. */
  signOut(message: { token?: JWT | null }): Promise<void>;
  /**
   * Limits failed wallet sign-ins to 60 a minute per client address. While the database is unreachable, returns 503
   * without changing cookies.
   */
  guard<Context>(handler: Handler<Context>): Handler<Context>;
};

type Handler<Context> = (request: Request, context: Context) => Promise<Response>;

type Outcome = {
  browserHash: Uint8Array | null;
  failure: unknown;
  refused: boolean;
  signedIn: boolean;
  /** Whether the token contains the browser session that this sign-in has opened. */
  bound: boolean;
  signedOut: boolean;
};

const CLAIM = "browserSessionId";

const UNGUARDED =
  "NextAuth's handler has no guard, so failed sign-ins would not be limited. In app/api/auth/[...nextauth]/route.ts export login.nextAuth.guard(NextAuth(authOptions)).";
const OVERWRITTEN =
  "NextAuth's options have callbacks that differ from those that login.nextAuth.options returned, so a session could not be ended on the server. Pass your callbacks to login.nextAuth.options instead of adding them to its result.";
const OTHER_NEXT_AUTH =
  "next-auth: version 4 is required. The argument of login.nextAuth.guard is not the handler that its NextAuth(authOptions) returns.";

function problemOf(siteOptions: NextAuthOptions, provider: CredentialsConfig): string | null {
  const { session = {}, adapter, providers } = siteOptions;
  // NextAuth chooses its session strategy in the same way.
  const { strategy } = { strategy: adapter ? "database" : "jwt", ...session };
  if (strategy !== "jwt") {
    const hint =
      "strategy" in session
        ? ""
        : " With an adapter and without session.strategy, NextAuth uses database sessions.";
    return `session.strategy: expected jwt in the options of NextAuth, because wallets cannot sign in with NextAuth's database sessions.${hint} To keep database sessions, create them yourself: docs/existing-application.md, "Database sessions of NextAuth".`;
  }
  if (providers.some((item) => item.id === provider.id && item !== provider)) {
    return `providers: another provider of NextAuth's options is named ${provider.id}, like the wallet's.`;
  }
  return null;
}

export function createNextAuthIntegration(pluginContext: PluginContext): NextAuthIntegration {
  const outcomes = new AsyncLocalStorage<Outcome>();
  const refuse = (problem: string) =>
    pluginContext.require(() => {
      throw new ConfigurationError(problem);
    });
  const isUsed = () => {
    markSessionsManagedByLogin();
    pluginContext.require(assertFindOrCreateUser);
  };
  /** Records a failure, because NextAuth would return it to the caller or treat it as an ended session. */
  const run = async <Value>(act: (site: Site) => Promise<Value>): Promise<Value> => {
    try {
      return await runCall(async () => act(await pluginContext.site()));
    } catch (error) {
      const outcome = outcomes.getStore();
      if (outcome) outcome.failure ??= error;
      throw new Error("ServiceUnavailable", { cause: error });
    }
  };
  const authorize: CredentialsConfig["authorize"] = async (credentials, { headers = {} }) => {
    const { sid = "", attempt } = credentials ?? {};
    const requestHeaders = new Headers(headers);
    const redemption = await run(async (site) => {
      // A sign-in that cannot be counted must not be attempted.
      requireClientAddress(site, { headers: requestHeaders });
      return redeem(site, requestHeaders, sid, attempt);
    });
    const outcome = outcomes.getStore();
    if (!redemption && outcome) outcome.refused = true;
    return redemption && { id: String(redemption.userId), [CLAIM]: redemption.browserSessionId };
  };
  const provider: CredentialsConfig = {
    type: "credentials",
    id: "svc",
    name: "Wallet",
    credentials: { sid: { type: "text" }, attempt: { type: "text" } },
    authorize,
  };
  const guardedProvider: CredentialsConfig = {
    ...provider,
    async authorize(...call) {
      if (outcomes.getStore()) return authorize(...call);
      await run(async ({ onFailure }) => onFailure("wallets cannot sign in", new Error(UNGUARDED)));
      throw new Error("ServiceUnavailable");
    },
  };
  const nextAuth: NextAuthIntegration = {
    provider,

    options(siteOptions) {
      isUsed();
      const problem = problemOf(siteOptions, provider);
      if (problem) refuse(problem);
      const { providers, callbacks, events } = siteOptions;
      return {
        ...siteOptions,
        session: { strategy: "jwt", ...siteOptions.session },
        providers: providers.includes(provider) ? providers : [...providers, guardedProvider],
        callbacks: {
          ...callbacks,
          async jwt(call) {
            const claim = call.token[CLAIM];
            const token = callbacks?.jwt ? await callbacks.jwt(call) : call.token;
            // The site's callback may have returned a new token. The browser session's id is restored in that token.
            const boundToken = claim === undefined ? token : { ...token, [CLAIM]: claim };
            return nextAuth.jwt({ token: boundToken, user: call.user });
          },
        },
        events: {
          ...events,
          async signIn(message) {
            const outcome = outcomes.getStore();
            if (outcome && message.account?.provider === provider.id) outcome.signedIn = true;
            await events?.signIn?.(message);
          },
          async signOut(message) {
            await nextAuth.signOut(message);
            await events?.signOut?.(message);
          },
        },
      };
    },

    async jwt({ token, user }) {
      const sessionClaim = user && Object.getOwnPropertyDescriptor(user, CLAIM)?.value;
      const outcome = outcomes.getStore();
      if (outcome && typeof sessionClaim === "string") outcome.bound = true;
      if (typeof sessionClaim === "string") return { ...token, [CLAIM]: sessionClaim };
      const id: unknown = token[CLAIM];
      if (typeof id !== "string") return token;
      const alive = await run(async ({ core, users }) => {
        const session = await findBrowserSession(core.database, id, core.now());
        if (!session) return null;
        await touchBrowserSession(core.database, session, core.now());
        if (token.sub !== String(session.userId)) return token;
        // A token that is older than the site's `findOrCreateUser` contains a number that could be another user's id at
        // the site.
        const userId = await users.ofSession(session);
        return userId === null ? null : { ...token, sub: String(userId) };
      });
      if (!alive) throw new Error("This session has ended.");
      return alive;
    },

    async signOut({ token }) {
      const id: unknown = token?.[CLAIM];
      const outcome = outcomes.getStore();
      if (typeof id !== "string") return;
      await run(async (site) => {
        const session = await findBrowserSession(site.core.database, id, site.core.now());
        const claims = session && { browserSessionId: session.id, userId: session.userId };
        await signOut(site, claims, outcome?.browserHash ?? null);
      });
      if (outcome) outcome.signedOut = true;
    },

    guard(handler) {
      isUsed();
      if (typeof handler !== "function") refuse(OTHER_NEXT_AUTH);
      return (request, context) => guarded(handler, request, context);
    },
  };

  async function guarded<Context>(handler: Handler<Context>, request: Request, context: Context) {
    const requestId = readRequestId(request);
    const site = await pluginContext
      .site()
      .catch((error: unknown) => createErrorRenderer({ onFailure: writeFailure }, requestId)(error));
    if (site instanceof Response) return site;
    return runCall(async () => {
      const { origin } = site.core;
      const browserHash = readBrowserHash(request.headers.get("cookie"), origin);
      const outcome: Outcome = {
        ...{ browserHash, failure: null, refused: false },
        ...{ signedIn: false, bound: false, signedOut: false },
      };
      const answer = await outcomes.run(outcome, () => handler(request, context));
      const render = createErrorRenderer(site, requestId);
      if (outcome.signedIn && !outcome.bound) outcome.failure ??= new Error(OVERWRITTEN);
      if (outcome.failure !== null) return render(outcome.failure);
      if (outcome.signedOut) answer.headers.append("Set-Cookie", createExpiredBindingCookie(origin));
      if (!outcome.refused) return answer;
      return countAnsweredRequest(createClientLimit(site, "failed-sign-in", request), answer, render);
    });
  }

  return nextAuth;
}
