import "server-only";
import type { Call } from "#lib/platform/http/call.ts";
import { limitOfClient } from "#lib/platform/http/rate-limit.ts";
import type { Entrance } from "./added-key.ts";

/**
 * Sends a browser on by a plain redirect, which needs no script. Those who are not authenticated by what they hold are
 * counted by their address.
 */
export async function answerEntrance(
  { path, setCookie, authenticated }: Entrance,
  { request, count }: Pick<Call, "request" | "count">,
): Promise<Response> {
  if (!authenticated) await count(limitOfClient("failed-entrance", request));
  const headers = new Headers({ Location: path });
  if (setCookie) headers.set("Set-Cookie", setCookie);
  return new Response(null, { status: 303, headers });
}
