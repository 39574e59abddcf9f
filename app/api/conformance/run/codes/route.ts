import { ShowCode } from "#lib/conformance-runs/messages.ts";
import { showCode } from "#lib/conformance-runs/run.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { coreOf } from "#lib/platform/login.ts";

/** Shows the code of a case of the browser's run. */
export const POST = endpoint({ limit: "conformance-codes", countedWithQuery: true }, async (call) => {
  const { case: caseId } = await parseBody(call.request, ShowCode);
  return jsonResponse(201, await showCode(coreOf(call), call.request.headers, caseId));
});
