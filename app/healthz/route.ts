import { jsonResponse } from "#packages/login/http/call.ts";

/** Reports that the process runs. */
export function GET(): Response {
  return jsonResponse(200, { status: "ok" });
}
