import useSWR from "swr";
import { ADDED_KEY_PAGES, withCallbackUrl } from "../protocol/paths.ts";
import { parseUrl } from "./browser-support.ts";
import { ANSWER_TIMEOUT_MS, fetchJson, readField, readText } from "./fetch-json.ts";
import type { LoginSource } from "./login-source.ts";
import { announceSignOut, SESSION_URL } from "./session-watch.ts";

/**
 * NextAuth in the browser, with one request for each sign-in. NextAuth's own client also requests the providers and the
 * token before the sign-in, and the session afterwards, one by one, while the user waits. That client would also make
 * the page larger.
 */

/** NextAuth's response to a form, and the URL to which it sends the browser next. */
type AuthAnswer = { ok: boolean; status: number; next: URL | null };

/**
 * The result of redeeming a login: the browser is signed in, was refused, could not reach the server, or must first go
 * to the page that asks for consent to an added key.
 */
export type RedemptionResult = "signed-in" | "refused" | "unreachable" | { stopsAt: string };

/**
 * Redeems an authenticated login for this browser (docs/protocol.md#42-redemption). The browser's cookie is the proof,
 * and the sid only identifies the login. If there is no provider, there is nothing to redeem. Never throws.
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

/**
 * Identifies this page's sign-in, so that the server recognises the sign-in if the page repeats it after a lost
 * response.
 */
let attempt: string | null = null;

type SignedIn = { ok: boolean; status: number; stopsAt: string | null };

/**
 * Signs in with `POST /api/svc/sign-in` (docs/protocol.md#35-signing-in).
 * @returns null if the site has no such endpoint, so that NextAuth must sign in
 * @throws if the server cannot be reached or does not return JSON
 */
async function signInDirectly(sid: string): Promise<SignedIn | null> {
  attempt ??= randomHex();
  const response = await fetch("/api/svc/sign-in", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sid, attempt }),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const { ok, status } = response;
  if (status === 404) return null;
  const next = parseUrl(readText(await response.json(), "redirect") ?? "", window.location.href);
  return asksFirst({ ok, status, next });
}

/** Returns whether the browser is signed in, or must first go to the page that asks for consent to an added key. */
function asksFirst({ ok, status, next }: AuthAnswer): SignedIn {
  const asks = ok && next !== null && Object.values<string>(ADDED_KEY_PAGES).includes(next.pathname);
  return { ok: ok && !asks, status, stopsAt: asks ? next.pathname + next.search : null };
}

/**
 * Signs in like NextAuth's `signIn(provider, { sid, redirect: false })`.
 * @returns `stopsAt`: the path of the page that asks for consent to an added key before the sign-in, or null
 * @throws if the server cannot be reached or does not return JSON
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
 * Signs this browser out. NextAuth's own client treats any response as success, even a 503, and leaves the page.
 * @returns whether it is signed out; never throws
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

/** Requests NextAuth's CSRF token in advance, while the user looks at the code. Never throws. */
export function prepareAuthForm(): void {
  csrfToken().catch(() => {});
}

/** Posts a form to one of NextAuth's endpoints, in one request if the token is known. */
async function postAuthForm(path: string, fields: Record<string, string>): Promise<AuthAnswer> {
  const answer = await post(path, fields);
  if (!isTokenRefused(answer)) return answer;
  // The cookie has changed: the user signed out in another tab, or the secret is new.
  token = null;
  const secondAnswer = await post(path, fields);
  return isTokenRefused(secondAnswer) ? { ok: false, status: 403, next: null } : secondAnswer;
}

async function post(path: string, fields: Record<string, string>): Promise<AuthAnswer> {
  const form = { ...fields, csrfToken: await csrfToken(), callbackUrl: window.location.href, json: "true" };
  const { body, ...answer } = await ask(path, { method: "POST", body: new URLSearchParams(form) });
  return { ...answer, next: parseUrl(readText(body, "url") ?? "", window.location.href) };
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
  const csrfToken = readText((await ask("csrf", { cache: "no-store" })).body, "csrfToken");
  if (!csrfToken) throw new Error("no token");
  return csrfToken;
}

async function ask(path: string, init: RequestInit): Promise<{ ok: boolean; status: number; body: unknown }> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const response = await fetch(`/api/auth/${path}`, { ...init, signal });
  return { ok: response.ok, status: response.status, body: await response.json() };
}

/**
 * Returns the path of the login page, which leads back to this page. Call it in the browser after a sign-in has ended.
 */
export function signInAgainPath(): string {
  return withCallbackUrl("/login", window.location.pathname + window.location.search);
}

/** The signed-in user, as a page shows them. Only the server decides, because this response may be forged or old. */
export type LoginSession = {
  /** `unknown` while the service does not respond, so that a signed-in user is not shown as signed out. */
  status: "loading" | "signed-in" | "signed-out" | "unknown";
  /** The user's id, as in `currentSession`, or null if no user is signed in. */
  userId: number | string | null;
  /** Requests the session again, after a change that this page has made. */
  refresh: () => void;
};

/**
 * Returns the signed-in user, for client components. All components on a page share one request, which is repeated when
 * the page gets the focus and when the network is restored. Sites with NextAuth's `SessionProvider` can use its
 * `useSession` instead.
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
