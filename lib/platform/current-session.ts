import "server-only";
import { headers } from "next/headers.js";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import * as tokens from "#lib/login/server/session-token.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { ApiError } from "./http/api-error.ts";
import { loginCore } from "./login.ts";

/**
 * The signed-in browser that makes this request, or null. Every restricted page and handler asks here.
 * @param sent the request's headers, in a handler that the server may call in front of the framework's router; the
 *   framework knows them elsewhere
 */
export async function currentSession(sent?: SentHeaders): Promise<BrowserSession | null> {
  return tokens.currentSession(loginCore(), sent ?? (await headers()));
}

/** The claims of the request's token. Decrypting it proves that we made it; its row may be gone. */
export async function currentClaims(sent?: SentHeaders): Promise<tokens.TokenClaims | null> {
  return tokens.currentClaims(loginCore(), (sent ?? (await headers())).get("cookie"));
}

/**
 * The signed-in browser that makes this request.
 * @throws {ApiError} 401 when nobody is signed in
 */
export async function requireSession(sent?: SentHeaders): Promise<BrowserSession> {
  const session = await currentSession(sent);
  if (!session) throw new ApiError("not_signed_in", "Sign in first.");
  return session;
}
