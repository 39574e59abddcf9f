import "server-only";
import type { Call } from "#lib/core/http/endpoint.ts";
import { limitOfClient } from "#lib/core/http/rate-limit.ts";
import type { Entrance } from "./session-cookie.ts";

/**
 * Sends a browser on by a plain redirect, which needs no script. Those who are not authenticated by what they hold are
 * counted by their address (decision 25).
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
