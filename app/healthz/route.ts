import { jsonResponse } from "#lib/login/http/call.ts";

/** The process lives. */
export function GET(): Response {
  return jsonResponse(200, { status: "ok" });
}
