import { jsonResponse } from "#lib/platform/http/endpoint.ts";

/** The process lives. */
export function GET(): Response {
  return jsonResponse(200, { status: "ok" });
}
