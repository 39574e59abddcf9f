import { jsonResponse } from "#packages/login/http/call.ts";

/** Reports that the process is running. */
export function GET(): Response {
  return jsonResponse(200, { status: "ok" });
}
