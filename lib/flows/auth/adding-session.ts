import "server-only";
import { ApiError } from "#lib/core/api-error.ts";
import { requireSession } from "./current-session.ts";

/**
 * What a code is asked for: to sign in (no `intent`), or with `intent=add` to add the answering key to the ways in
 * which the signed-in user signs in. The payload then says `intent=add` too.
 * @param sent the request's headers
 * @returns the signed-in browser that it is added to, or null to sign in
 * @throws {ApiError} 400 for another intent, 401 when nobody is signed in to add to
 */
export async function addingSession(intent: string | undefined, sent: Headers): Promise<string | null> {
  if (intent === undefined) return null;
  if (intent !== "add") throw new ApiError("invalid_request", 'The intent is "add", or there is none.');
  return (await requireSession(sent)).id;
}
