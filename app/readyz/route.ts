import { assertReady } from "#lib/platform/database/readiness.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { jsonResponse } from "#packages/login/http/call.ts";

/** The process can serve: the database answers and has the schema; 503 otherwise. */
export const GET = endpoint({}, async () => {
  await assertReady();
  return jsonResponse(200, { status: "ready" });
});
