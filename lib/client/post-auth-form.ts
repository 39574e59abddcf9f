import { ANSWER_TIMEOUT_MS } from "./fetch-json.ts";
import { readText } from "./read-field.ts";

/** What NextAuth answered to a form. */
export type AuthAnswer = {
  ok: boolean;
  status: number;
  /** NextAuth's word for why not, such as `CredentialsSignin`. */
  error: string | null;
  /** Where it sends the browser. */
  next: URL | null;
};

let token: Promise<string> | null = null;

/** Asks for NextAuth's token ahead of time, while the code is being looked at. Never throws. */
export function prepareAuthForm(): void {
  csrfToken().catch(() => {});
}

/**
 * Posts a form to one of NextAuth's endpoints, in one request where the token is known.
 * @throws when the server cannot be reached or answers no JSON
 */
export async function postAuthForm(path: string, fields: Record<string, string>): Promise<AuthAnswer> {
  const first = await post(path, fields);
  if (!first.tokenRefused) return first;
  // The cookie is another by now: signed out in another tab, or a new secret.
  token = null;
  const second = await post(path, fields);
  return second.tokenRefused ? { ok: false, status: 403, error: "csrf", next: null } : second;
}

async function post(
  path: string,
  fields: Record<string, string>,
): Promise<AuthAnswer & { tokenRefused: boolean }> {
  const form = {
    ...fields,
    csrfToken: await csrfToken(),
    callbackUrl: window.location.href,
    json: "true",
  };
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const next = URL.parse(readText(await response.json(), "url") ?? "", window.location.href);
  return {
    ok: response.ok,
    status: response.status,
    error: next?.searchParams.get("error") ?? null,
    next,
    tokenRefused: next?.searchParams.get("csrf") === "true",
  };
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
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const csrfToken = readText(await response.json(), "csrfToken");
  if (!csrfToken) throw new Error("no token");
  return csrfToken;
}
