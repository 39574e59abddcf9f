import { AsyncLocalStorage } from "node:async_hooks";
import type { User } from "next-auth";
import type { JWT } from "next-auth/jwt";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { countAfterwards } from "../http/call.ts";
import { expiredBindingSetCookie, readBrowserHash } from "../server/cookies.ts";
import { isSecure } from "../server/core.ts";
import { findBrowserSession, touchBrowserSession } from "../store/browser-session.ts";
import { limitOf, renderer, requestIdOf } from "./answer-login.ts";
import { runCall } from "./runtime.ts";
import { redeem, signOut } from "./sign-in.ts";
import { type Site, writeFailure } from "./site.ts";

/** The login among a site's own NextAuth options (docs/existing-application.md). */
export type OwnNextAuth = {
  /** For `providers`. Its id is `svc`; its user's `id` is the site's, as text. */
  provider: CredentialsConfig;
  /**
   * For `callbacks.jwt`: keeps the token of a wallet's sign-in only while its browser session lives, and has it name
   * the site's user. Other tokens pass.
   * @throws when the session has ended; NextAuth then signs the browser out
   */
  jwt<Token extends JWT>(call: { token: Token; user?: Partial<User> | null }): Promise<Token>;
  /** For `events.signOut`: ends the browser session, and the logins in progress in this browser. */
  signOut(message: { token?: JWT | null }): Promise<void>;
  /**
   * Around NextAuth's route handler. Failed sign-ins by wallet get 429 beyond 60 a minute and client address, and no
   * cookie changes while the database is away: the answer is 503.
   */
  guard<Context>(
    handler: (request: Request, context: Context) => Promise<Response>,
  ): (request: Request, context: Context) => Promise<Response>;
};

/** What NextAuth does not say about one of its requests. */
type Outcome = { browserHash: Uint8Array | null; failure: unknown; refused: boolean; signedOut: boolean };

/** The claim in the site's token that names the sign-in's browser session. */
const CLAIM = "browserSessionId";

export function ownNextAuth(openedSite: () => Promise<Site>): OwnNextAuth {
  const outcomes = new AsyncLocalStorage<Outcome>();
  /** Runs a callback. NextAuth would tell its caller why it failed, or take it for a session that has ended. */
  const run = async <Value>(act: (site: Site) => Promise<Value>): Promise<Value> => {
    try {
      return await runCall(async () => act(await openedSite()));
    } catch (error) {
      const outcome = outcomes.getStore();
      if (outcome) outcome.failure ??= error;
      throw new Error("ServiceUnavailable", { cause: error });
    }
  };
  return {
    provider: {
      type: "credentials",
      id: "svc",
      name: "Wallet",
      credentials: { sid: { type: "text" }, attempt: { type: "text" } },
      async authorize(credentials, { headers = {} }) {
        const { sid = "", attempt } = credentials ?? {};
        const redeemed = await run((site) => redeem(site, new Headers(headers), sid, attempt));
        const outcome = outcomes.getStore();
        if (!redeemed && outcome) outcome.refused = true;
        return redeemed && { id: String(redeemed.userId), [CLAIM]: redeemed.browserSessionId };
      },
    },

    async jwt({ token, user }) {
      const opened = user && Object.getOwnPropertyDescriptor(user, CLAIM)?.value;
      if (typeof opened === "string") return { ...token, [CLAIM]: opened };
      const id: unknown = token[CLAIM];
      if (typeof id !== "string") return token;
      const alive = await run(async ({ core, users }) => {
        const session = await findBrowserSession(core.database, id, core.now());
        if (!session) return null;
        await touchBrowserSession(core.database, session, core.now());
        if (token.sub !== String(session.userId)) return token;
        // A token from before the site had `findOrCreateUser`: its number may be another user's id.
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

    guard: (handler) => async (request, context) => {
      const requestId = requestIdOf(request);
      const site = await openedSite().catch((error: unknown) =>
        renderer({ onFailure: writeFailure }, requestId)(error),
      );
      if (site instanceof Response) return site;
      return runCall(async () => {
        const secure = isSecure(site.core);
        const browserHash = readBrowserHash(request.headers.get("cookie"), secure);
        const outcome: Outcome = { browserHash, failure: null, refused: false, signedOut: false };
        const answer = await outcomes.run(outcome, () => handler(request, context));
        const render = renderer(site, requestId);
        if (outcome.failure !== null) return render(outcome.failure);
        if (outcome.signedOut) answer.headers.append("Set-Cookie", expiredBindingSetCookie(secure));
        const limit = outcome.refused ? limitOf(site, "failed-sign-in", request) : null;
        return limit ? countAfterwards(limit, answer, render) : answer;
      });
    },
  };
}
