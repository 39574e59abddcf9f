import { startRun } from "#lib/conformance-runs/run.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";
import { coreOf } from "#lib/platform/login.ts";

/** Starts a run of the conformance kit for this browser. */
export const POST = endpoint({ limit: "conformance-runs" }, async (call) => {
  requireSameOrigin(call.request);
  return jsonResponse(201, await startRun(coreOf(call)));
});
