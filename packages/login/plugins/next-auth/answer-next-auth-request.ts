import type { NextAuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { countAnsweredRequest, jsonResponse } from "../../http/call.ts";
import { readBodyBytes } from "../../http/read-body.ts";
import { refusal } from "../../protocol/errors.ts";
import { BROWSER_SESSION_SECONDS } from "../../protocol/numbers.ts";
import { addedKeyPath, sameOriginPath } from "../../protocol/paths.ts";
import {
  createStaleCookieHeaders,
  findBrowserSession,
  parseTokenClaims,
} from "../../server/browser-session.ts";
import {
  createExpiredBindingCookie,
  filterLoginCookies,
  loginCookieName,
  readBrowserHash,
  toNextAuthCookie,
} from "../../server/cookies.ts";
import { isSecure, type LoginCore, type TokenClaims } from "../../server/core.ts";
import { type RedeemableFlow, redeemFromRequest } from "../../server/redeem-login.ts";
import {
  createClientLimit,
  createErrorRenderer,
  readRequestId,
  withLoginHeaders,
} from "../../site/answer-login.ts";
import { resolveBrand } from "../../site/options.ts";
import type { Site } from "../../site/plugin.ts";
import { collectFlows, createRedemptionSteps } from "../../site/plugin.ts";
import { signOut } from "../../site/sign-in.ts";
import { runNextAuth } from "./auth-exchange.ts";
import { renderSignOutPage } from "./sign-out-page.ts";
import { nextAuthTokenCodec } from "./tokens.ts";

/**
 * Handles errors in the same way as the other endpoints do, because NextAuth itself answers malformed bodies with an
 * empty 500 and reveals the text of errors that occur during sign-in. Failed sign-ins, and sign-outs without a session,
 * are counted by client address. Failed sign-ins never cause a successful one to be refused (docs/decisions/0025).
 */
export async function answerNextAuthRequest(site: Site, request: Request): Promise<Response> {
  const { core } = site;
  const requestId = readRequestId(request);
  const render = createErrorRenderer(site, requestId);
  const path = new URL(request.url).pathname.split("/api/auth/")[1]?.split("/") ?? [];
  const browser = createRedemptionSteps(site, request.headers);
  let answer: Response;
  try {
    // Throws if the client is unknown: a sign-in that could not be counted must not be attempted.
    const limit = createClientLimit(site, "failed-sign-in", request);
    answer = await askNextAuth(site, browser, request, path).catch(render);
    if (setsSession(core, answer)) {
      for (const stale of await createStaleCookieHeaders(core, request.headers.get("cookie"))) {
        answer.headers.append("Set-Cookie", stale);
      }
    }
    const failed =
      path[0] === "callback" && request.method === "POST" && answer.status < 500 && !signsIn(core, answer);
    if (failed) answer = await countAnsweredRequest(limit, answer, render);
  } catch (error) {
    answer = render(error);
  }
  for (const cookie of browser.setCookies()) answer.headers.append("Set-Cookie", cookie);
  if (site.isGuarded) return answer;
  const isPage = answer.headers.get("content-type")?.startsWith("text/html");
  return withLoginHeaders(answer, { requestId, kind: isPage ? "page" : "api", secure: isSecure(core) });
}

function setsSession(core: LoginCore, answer: Response): boolean {
  const name = loginCookieName(nextAuthTokenCodec.cookie, core.origin);
  return answer.headers.getSetCookie().some((cookie) => cookie.startsWith(`${name}=`));
}

function signsIn(core: LoginCore, answer: Response): boolean {
  const name = loginCookieName(nextAuthTokenCodec.cookie, core.origin);
  return answer.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`));
}

async function askNextAuth(
  site: Site,
  { wrapFlow }: Pick<ReturnType<typeof createRedemptionSteps>, "wrapFlow">,
  request: Request,
  path: string[],
): Promise<Response> {
  const { core } = site;
  // Without a provider's name, NextAuth returns 500.
  if (!path[0]) throw refusal("not_found", "There is nothing at this URL.");
  // Signing in requires a POST. NextAuth would answer a GET with 500.
  if (path[0] === "callback" && request.method !== "POST") {
    throw refusal("method_not_allowed", "This URL accepts only POST.", { headers: { Allow: "POST" } });
  }
  if (path[0] === "_log") return answerClientLog(request);
  // While the database is unreachable, submitting a form would fail, so the form's token is not issued.
  await site.runtime.assertDatabaseAnswers();
  const failures: unknown[] = [];
  // Records server errors, because NextAuth would reveal them to the caller or ignore them.
  const report: Report = (act) =>
    act().catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  let session: TokenClaims | null = null;
  const flows = Object.entries(collectFlows(site)).map(([name, flow]) => [name, wrapFlow(flow)] as const);
  const options = authOptions(site, flows, report);
  const events = {
    async signOut({ token }: { token: JWT }) {
      session = parseTokenClaims(token);
    },
  };
  const cookies = filterLoginCookies(request.headers.get("cookie"), core.origin);
  const asksToSignOut = path[0] === "signout" && request.method === "GET";
  const effectivePath = asksToSignOut ? ["csrf"] : path;
  const { answer, next } = await runNextAuth(
    { ...options, events },
    core.origin,
    request,
    effectivePath,
    cookies,
  );
  if (failures.length > 0) throw failures[0];
  if (asksToSignOut) return renderSignOutPage(answer, resolveBrand(site.options));
  // NextAuth redirects to this URL if the form lacks this browser's CSRF token.
  const isSignOutWithoutToken = next === `${core.origin.origin}/api/auth/signout?csrf=true`;
  if (path[0] === "signout" && request.method === "POST" && !isSignOutWithoutToken) {
    const browserHash = readBrowserHash(request.headers.get("cookie"), core.origin);
    // The session may have been ended from another browser. The request is then not authenticated and must be counted.
    if (session === null && browserHash !== null)
      await createClientLimit(site, "failed-sign-in", request).take();
    await signOut(site, session, browserHash);
    answer.headers.append("Set-Cookie", createExpiredBindingCookie(core.origin));
  }
  return answer;
}

/** Does not log the error reports of NextAuth's client, because anyone can send them. */
async function answerClientLog(request: Request): Promise<Response> {
  if (request.method !== "POST") {
    throw refusal("method_not_allowed", "This URL accepts only POST.", { headers: { Allow: "POST" } });
  }
  await readBodyBytes(request);
  return jsonResponse(200, {});
}

type Report = <Value>(act: () => Promise<Value>) => Promise<Value>;

/**
 * The credentials providers redeem an authenticated login for the browser that has the login's cookie. Such providers
 * require NextAuth's JWT strategy. Each token has a row in the database, so that its session can be listed and ended.
 * @param flows with their provider names: `signIn("svc", { sid })`
 */
function authOptions(site: Site, flows: readonly (readonly [string, RedeemableFlow])[], report: Report) {
  const { core } = site;
  return {
    secret: core.secrets[0],
    session: { strategy: "jwt", maxAge: BROWSER_SESSION_SECONDS },
    jwt: {
      maxAge: BROWSER_SESSION_SECONDS,
      decode: ({ token = "" }) => nextAuthTokenCodec.decode(token, core.secrets),
    },
    pages: { signIn: "/login", error: "/login", verifyRequest: "/login" },
    cookies: {
      sessionToken: toNextAuthCookie(nextAuthTokenCodec.cookie, core.origin),
      callbackUrl: toNextAuthCookie("next-auth.callback-url", core.origin),
      csrfToken: toNextAuthCookie("next-auth.csrf-token", core.origin),
    },
    providers: flows.map(([id, flow]) => redeemingProvider(core, id, flow, report)),
    callbacks: {
      // The page that NextAuth's client opens if the key's holder must first answer a question.
      signIn: ({ user }) => ("stopsAt" in user ? core.origin.origin + user.stopsAt : true),
      async jwt({ token, user }) {
        const signedIn = parseTokenClaims(user ? { ...user } : null);
        if (signedIn) return { ...signedIn };
        const claims = parseTokenClaims(token);
        if (!claims) throw new Error("This token was not issued by this site.");
        // NextAuth would treat a failed query like an ended session and delete the cookie. The failure is reported
        // instead.
        const find = () => findBrowserSession(core.database, claims.browserSessionId, core.now());
        const found = await report(find);
        if (!found) throw new Error("This session has ended.");
        return { ...token, expiresAt: found.expiresAt.toISOString() };
      },
      async session({ session, token }) {
        const claims = parseTokenClaims(token);
        const user: object | undefined = claims
          ? { id: await report(() => siteIdOf(site, claims)) }
          : undefined;
        // NextAuth would return its cookie's expiry, which is extended each time, but the session ends earlier.
        return { expires: String(token.expiresAt ?? session.expires), user };
      },
      redirect({ url, baseUrl }) {
        const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
        return baseUrl + sameOriginPath(path, "/");
      },
    },
    logger: {
      error(code: string, metadata: Error | { error: Error }) {
        // A token whose session has ended is not an error. This is how revocation works.
        if (code === "JWT_SESSION_ERROR") return;
        site.onFailure(`next-auth: ${code}`, metadata instanceof Error ? metadata : metadata.error);
      },
      warn() {},
      debug() {},
    },
  } satisfies NextAuthOptions;
}

async function siteIdOf({ users }: Site, { browserSessionId: id, userId }: TokenClaims) {
  const siteId = await users.ofSession({ id, userId });
  if (siteId !== null) return siteId;
  throw refusal("service_unavailable", "This session is ending. Reload the page.", {
    headers: { "Retry-After": "1" },
  });
}

/**
 * The sid identifies the login, and the cookie proves that this browser started it. A key that was added elsewhere does
 * not sign in yet, because its holder must first answer the question on the added-key page.
 */
function redeemingProvider(core: LoginCore, id: string, flow: RedeemableFlow, report: Report) {
  return {
    type: "credentials",
    id,
    name: id,
    credentials: { sid: { type: "text" }, attempt: { type: "text" } },
    async authorize(credentials, { headers = {} }) {
      const { sid = "", attempt } = credentials ?? {};
      const get = (name: string) => headers[name] ?? null;
      const requestId = get("x-request-id") ?? "";
      const redemption = await report(() =>
        redeemFromRequest(core, flow, { sid, attempt, requestId, headers: { get } }),
      );
      if (redemption === "unconfirmed") return { id: sid, stopsAt: addedKeyPath(core, sid) };
      return redemption && { id: String(redemption.userId), ...redemption };
    },
  } satisfies CredentialsConfig;
}
