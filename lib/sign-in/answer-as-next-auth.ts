import { hash, timingSafeEqual } from "node:crypto";
import type { authOptions } from "#lib/login/server/auth-options.ts";
import { hostCookie } from "#lib/login/server/cookies.ts";
import { isSecure, type LoginCore } from "#lib/login/server/core.ts";
import { drawBytes } from "#lib/login/server/random.ts";
import { readClaims } from "#lib/login/server/session-token.ts";
import type { AuthResponse } from "./auth-response.ts";
import type { AuthRequest } from "./read-auth-request.ts";
import { signedInCookie } from "./signed-in-cookie.ts";

/**
 * Answers the two of NextAuth's requests that every login makes, as NextAuth does with the same options: `csrf`, and a
 * login page's `callback`. NextAuth itself prepares its options anew for each (docs/decisions/0048).
 * @param path the segments below `/api/auth/`
 * @returns false for every other request, and where the token is wrong: NextAuth answers those
 */
export async function answerAsNextAuth(
  core: LoginCore,
  options: Options,
  request: AuthRequest,
  [action, providerId]: string[],
  response: AuthResponse,
): Promise<boolean> {
  const { method, cookies, body, callbackUrl } = request;
  const { origin } = core.origin;
  const csrf = csrfCookie(core);
  const known = knownToken(core, options, request);
  const setCookies: string[] = [];
  /** Where the browser goes once it is signed in; a cookie keeps it. */
  const readNext = async () => {
    const { callbackUrl: cookie } = options.cookies;
    const kept = cookies[cookie.name];
    const url = callbackUrl || kept;
    const next = url ? await options.callbacks.redirect({ url, baseUrl: origin }) : origin;
    if (next !== kept) setCookies.push(sessionCookie(cookie, next));
    return next;
  };

  if (method === "GET" && action === "csrf") {
    const csrfToken = known ?? drawBytes(32).toString("hex");
    if (known === null) {
      setCookies.push(sessionCookie(csrf, `${csrfToken}|${digestOf(csrfToken, options.secret)}`));
    }
    await readNext();
    response.setHeader("set-cookie", setCookies);
    response.setHeader("cache-control", "private, no-cache, no-store");
    response.json({ csrfToken });
    return true;
  }

  const provider = options.providers.find(({ id }) => id === providerId);
  const isPosted = method === "POST" && action === "callback" && body?.json === "true";
  if (!isPosted || !provider || !isSent(known, request)) return false;
  const next = await readNext();
  const user = await provider.authorize(body, request);
  const claims = readClaims(user);
  if (claims) setCookies.push(signedInCookie(core, claims));
  response.setHeader("set-cookie", setCookies);
  if (user) response.json({ url: "stopsAt" in user ? origin + user.stopsAt : next });
  else {
    const error = new URLSearchParams({ error: "CredentialsSignin", provider: provider.id });
    response.status(401).json({ url: `${origin}/api/auth/error?${error}` });
  }
  return true;
}

type Options = ReturnType<typeof authOptions>;

/** True when a form brings the token of its own browser: no other site's page has posted it. */
export function hasOwnToken(core: LoginCore, options: Options, request: AuthRequest): boolean {
  return isSent(knownToken(core, options, request), request);
}

function isSent(token: string | null, { body }: AuthRequest): boolean {
  return token !== null && isEqual(token, body?.csrfToken ?? "");
}

/** The token in a `csrf` cookie that this server made, or null. */
function knownToken(core: LoginCore, { secret }: Options, { cookies }: AuthRequest): string | null {
  const [token = "", digest = ""] = (cookies[csrfCookie(core).name] ?? "").split("|");
  return isEqual(digest, digestOf(token, secret)) ? token : null;
}

function csrfCookie(core: LoginCore) {
  return hostCookie("next-auth.csrf-token", isSecure(core));
}

/** What tells NextAuth that a token is its own. */
function digestOf(token: string, secret: string): string {
  return hash("sha256", token + secret);
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The `Set-Cookie` header of a cookie that ends with the browser. */
function sessionCookie({ name, options }: ReturnType<typeof hostCookie>, value: string): string {
  return `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly${options.secure ? "; Secure" : ""}; SameSite=Lax`;
}
