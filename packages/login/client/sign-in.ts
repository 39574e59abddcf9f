import useSWR from "swr";
import { ADDED_KEY_PAGES, withCallbackUrl } from "../protocol/paths.ts";
import { parseUrl } from "./browser-support.ts";
import { fetchJson, RESPONSE_TIMEOUT_MS, readField, readTextField } from "./fetch-json.ts";
import type { LoginSource } from "./login-source.ts";
import { announceSignOut, SESSION_URL } from "./session-watch.ts";

/**
 * Signs in through NextAuth with a single request. NextAuth's own client would also request the providers and the CSRF
 * token before the sign-in and the session afterwards, while the user waits. It would also make the page larger.
 */

type AuthAnswer = { ok: boolean; status: number; next: URL | null };

/** `stopsAt` is the page on which the user must first consent to an added key. */
export type RedemptionResult = "signed-in" | "refused" | "unreachable" | { stopsAt: string };

/**
 * The cookie proves that this browser started the login, and `sid` only identifies it (docs/protocol.md#42-redemption).
 * Never throws.
 */
export async function redeemLogin(
  { provider, direct }: Pick<LoginSource, "provider" | "direct">,
  sid: string,
): Promise<RedemptionResult> {
  if (provider === null) return "signed-in";
  if (!navigator.onLine) return "unreachable";
  try {
    const directly = direct ? await signInDirectly(sid) : null;
    const { ok, status, stopsAt } = directly ?? (await signIn(provider, { sid }));
    if (ok) return "signed-in";
    if (stopsAt) return { stopsAt };
    return status >= 500 ? "unreachable" : "refused";
  } catch {
    return "unreachable";
  }
}

/** Identifies this page's sign-in, so that the server recognises a sign-in that is repeated after a lost response. */
let attempt: string | null = null;

type SignedIn = { ok: boolean; status: number; stopsAt: string | null };

/**
 * Signs in with `POST /api/svc/sign-in` (docs/protocol.md#35-signing-in).
 * @returns null if the site has no such endpoint, in which case NextAuth must sign in
 * @throws if the server is unreachable or does not return JSON
 */
async function signInDirectly(sid: string): Promise<SignedIn | null> {
  attempt ??= randomHex();
  const response = await fetch("/api/svc/sign-in", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sid, attempt }),
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  const { ok, status } = response;
  if (status === 404) return null;
  const next = parseUrl(readTextField(await response.json(), "redirect") ?? "", window.location.href);
  return asksFirst({ ok, status, next });
}

function asksFirst({ ok, status, next }: AuthAnswer): SignedIn {
  const asks = ok && next !== null && Object.values<string>(ADDED_KEY_PAGES).includes(next.pathname);
  return { ok: ok && !asks, status, stopsAt: asks ? next.pathname + next.search : null };
}

/**
 * Does what NextAuth's `signIn(provider, { sid, redirect: false })` does.
 * @returns `stopsAt` is the path of the page on which the user must first consent to an added key, or null
 * @throws if the server is unreachable or does not return JSON
 */
export async function signIn(provider: string, { sid }: { sid: string }): Promise<SignedIn> {
  attempt ??= randomHex();
  return asksFirst(await postAuthForm(`callback/${encodeURIComponent(provider)}`, { sid, attempt }));
}

function randomHex(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * NextAuth's own client treats every response as success, even a 503, and leaves the page.
 * @returns whether the browser is signed out; never throws
 */
export async function signOut(): Promise<boolean> {
  try {
    const { ok } = await postAuthForm("signout", {});
    if (ok) announceSignOut();
    return ok;
  } catch {
    return false;
  }
}

let token: Promise<string> | null = null;

/** Never throws. */
export function prefetchCsrfToken(): void {
  csrfToken().catch(() => {});
}

/** Requests a CSRF token only if none is stored or the stored one is rejected. */
async function postAuthForm(path: string, fields: Record<string, string>): Promise<AuthAnswer> {
  const answer = await post(path, fields);
  if (!isTokenRefused(answer)) return answer;
  // The token's cookie has changed, because the user has signed out in another tab or the secret was replaced.
  token = null;
  const secondAnswer = await post(path, fields);
  return isTokenRefused(secondAnswer) ? { ok: false, status: 403, next: null } : secondAnswer;
}

async function post(path: string, fields: Record<string, string>): Promise<AuthAnswer> {
  const form = { ...fields, csrfToken: await csrfToken(), callbackUrl: window.location.href, json: "true" };
  const { body, ...answer } = await ask(path, { method: "POST", body: new URLSearchParams(form) });
  return { ...answer, next: parseUrl(readTextField(body, "url") ?? "", window.location.href) };
}

function isTokenRefused({ next }: AuthAnswer): boolean {
  return next?.searchParams.get("csrf") === "true";
}

function csrfToken(): Promise<string> {
  token ??= fetchCsrfToken().catch((error: unknown) => {
    token = null;
    throw error;
  });
  return token;
}

async function fetchCsrfToken(): Promise<string> {
  const csrfToken = readTextField((await ask("csrf", { cache: "no-store" })).body, "csrfToken");
  if (!csrfToken) throw new Error("no token");
  return csrfToken;
}

async function ask(path: string, init: RequestInit): Promise<{ ok: boolean; status: number; body: unknown }> {
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  const response = await fetch(`/api/auth/${path}`, { ...init, signal });
  return { ok: response.ok, status: response.status, body: await response.json() };
}

/** Call it in the browser when the user is no longer signed in. */
export function signInAgainPath(): string {
  return withCallbackUrl("/login", window.location.pathname + window.location.search);
}

/** For display only. The response can be forged or outdated, so only the server can decide who is signed in. */
export type LoginSession = {
  /** `unknown` means that the service does not respond, so that a signed-in user is not shown as signed out. */
  status: "loading" | "signed-in" | "signed-out" | "unknown";
  /** As `currentSession` returns it, or null if no user is signed in. */
  userId: number | string | null;
  refresh: () => void;
};

/**
 * All components on a page share one request, which is repeated when the page gains focus or the network is restored.
 * Sites that use NextAuth's `SessionProvider` can call `useSession` instead.
 */
export function useLoginSession(): LoginSession {
  const { data, mutate } = useSWR(SESSION_URL, fetchJson, { shouldRetryOnError: false });
  const refresh = () => void mutate();
  if (data === undefined) return { status: "loading", userId: null, refresh };
  if (data.kind !== "ok") return { status: "unknown", userId: null, refresh };
  const id = readField(readField(data.body, "user"), "id");
  const userId = typeof id === "number" || typeof id === "string" ? id : null;
  return { status: userId === null ? "signed-out" : "signed-in", userId, refresh };
}
