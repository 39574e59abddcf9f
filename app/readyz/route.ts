import { assertReady } from "#lib/platform/database/readiness.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { jsonResponse } from "#packages/login/http/call.ts";

/** Returns 200 if the database answers and has this version's schema, otherwise 503. */
export const GET = createEndpoint({}, async () => {
  await assertReady();
  return jsonResponse(200, { status: "ready" });
});
