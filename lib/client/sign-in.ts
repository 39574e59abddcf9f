import { ADDED_KEY_PATH } from "#lib/contracts/added-key.ts";
import { type AuthAnswer, postAuthForm } from "./post-auth-form.ts";

/** What came of a sign-in. */
export type SignInAnswer = AuthAnswer & {
  /** The page to go to instead: the holder of an added key is asked first, and nobody is signed in yet. */
  stopsAt: string | null;
};

/** Names this page's sign-ins: one that had no answer is asked for again, and is the same to the server. */
let attempt: string | null = null;

/**
 * NextAuth's `signIn(provider, { sid, redirect: false })` in one request: its own client asks for the providers and
 * for the token before it, and for the session after it, one after the other, while somebody waits. Without it the
 * page is smaller too.
 * @throws when the server cannot be reached or answers no JSON
 */
export async function signIn(provider: string, { sid }: { sid: string }): Promise<SignInAnswer> {
  attempt ??= randomHex();
  const answer = await postAuthForm(`callback/${encodeURIComponent(provider)}`, { sid, attempt });
  const stops = answer.ok && answer.next?.pathname === ADDED_KEY_PATH;
  return {
    ...answer,
    ok: answer.ok && !stops,
    stopsAt: stops && answer.next ? answer.next.pathname + answer.next.search : null,
  };
}

function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
