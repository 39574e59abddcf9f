import { assertReady } from "#lib/platform/database/readiness.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { jsonResponse } from "#packages/login/http/call.ts";

/** Reports whether the process can serve: the database answers and has the schema. Otherwise 503. */
export const GET = endpoint({}, async () => {
  await assertReady();
  return jsonResponse(200, { status: "ready" });
});
