import "server-only";
import type { Call } from "#lib/platform/http/call.ts";
import { limitOfClient } from "#lib/platform/http/rate-limit.ts";

/** Where a browser goes by a plain redirect, and the cookie that signs it in, if it was not signed in before. */
export type Entrance = { path: string; setCookie: string | null; authenticated: boolean };

/**
 * Sends a browser on by a plain redirect, which needs no script. Those who are not authenticated by what they hold are
 * counted by their address.
 */
export async function answerEntrance(
  { path, setCookie, authenticated }: Entrance,
  { request, carry }: Pick<Call, "request" | "carry">,
): Promise<Response> {
  if (!authenticated) {
    const failures = limitOfClient("failed-entrance", request);
    carry(failures);
    await failures.take();
  }
  const headers = new Headers({ Location: path });
  if (setCookie) headers.set("Set-Cookie", setCookie);
  return new Response(null, { status: 303, headers });
}
