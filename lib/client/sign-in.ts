import { ADDED_KEY_PATH } from "#lib/contracts/added-key.ts";
import { readText } from "./read-field.ts";

/** What NextAuth answered to a sign-in. */
export type SignInAnswer = {
  ok: boolean;
  status: number;
  /** NextAuth's word for why not, such as `CredentialsSignin`. */
  error: string | null;
  /** The page to go to instead: the holder of an added key is asked first, and nobody is signed in yet. */
  stopsAt: string | null;
};

const REQUEST_TIMEOUT_MS = 10_000;

/** Names this page's sign-ins: one that had no answer is asked for again, and is the same to the server. */
let attempt: string | null = null;

let token: Promise<string> | null = null;

/** Asks for NextAuth's token ahead of time, while the code is being looked at. Never throws. */
export function prepareSignIn(): void {
  csrfToken().catch(() => {});
}

/**
 * NextAuth's `signIn(provider, { sid, redirect: false })` in one request: its own client asks for the providers and
 * for the token before it, and for the session after it, one after the other, while somebody waits. Without it the
 * page is smaller too.
 * @throws when the server cannot be reached or answers no JSON
 */
export async function signIn(provider: string, { sid }: { sid: string }): Promise<SignInAnswer> {
  const first = await post(provider, sid);
  if (!first.tokenRefused) return first;
  // The cookie is another by now: signed out in another tab, or a new secret.
  token = null;
  const second = await post(provider, sid);
  return second.tokenRefused ? { ok: false, status: 403, error: "csrf", stopsAt: null } : second;
}

async function post(provider: string, sid: string): Promise<SignInAnswer & { tokenRefused: boolean }> {
  attempt ??= randomHex();
  const form = {
    csrfToken: await csrfToken(),
    sid,
    attempt,
    callbackUrl: window.location.href,
    json: "true",
  };
  const response = await fetch(`/api/auth/callback/${encodeURIComponent(provider)}`, {
    method: "POST",
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const next = URL.parse(readText(await response.json(), "url") ?? "", window.location.href);
  const stops = response.ok && next?.pathname === ADDED_KEY_PATH;
  return {
    ok: response.ok && !stops,
    status: response.status,
    error: next?.searchParams.get("error") ?? null,
    stopsAt: stops ? next.pathname + next.search : null,
    tokenRefused: next?.searchParams.get("csrf") === "true",
  };
}

function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

function csrfToken(): Promise<string> {
  token ??= fetchCsrfToken().catch((error: unknown) => {
    token = null;
    throw error;
  });
  return token;
}

async function fetchCsrfToken(): Promise<string> {
  const response = await fetch("/api/auth/csrf", {
    cache: "no-store",
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const csrfToken = readText(await response.json(), "csrfToken");
  if (!csrfToken) throw new Error("no token");
  return csrfToken;
}
