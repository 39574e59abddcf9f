import { jsonResponse } from "#packages/login/http/call.ts";

export function GET(): Response {
  return jsonResponse(200, { status: "ok" });
}
