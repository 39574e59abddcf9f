import { readRun } from "#lib/conformance-runs/run.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { coreOf } from "#lib/platform/login.ts";

/** Where the browser's run stands. */
export const GET = endpoint({ limit: "conformance-run", countedWithQuery: true }, async (call) =>
  jsonResponse(200, await readRun(coreOf(call), call.request.headers)),
);
