import { type AuthAnswer, postAuthForm } from "./post-auth-form.ts";

/** Names this page's sign-ins: one that had no answer is asked for again, and is the same to the server. */
let attempt: string | null = null;

/**
 * NextAuth's `signIn(provider, { sid, redirect: false })` in one request: its own client asks for the providers and
 * for the token before it, and for the session after it, one after the other, while somebody waits. Without it the
 * page is smaller too.
 * @throws when the server cannot be reached or answers no JSON
 */
export async function signIn(provider: string, { sid }: { sid: string }): Promise<AuthAnswer> {
  attempt ??= randomHex();
  return postAuthForm(`callback/${encodeURIComponent(provider)}`, { sid, attempt });
}

function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
