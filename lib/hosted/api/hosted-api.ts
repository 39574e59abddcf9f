import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { openApiDocument } from "../contract/openapi.ts";
import { matchOperationPath, OPENAPI_PATH } from "../contract/operations.ts";
import { type ApiMode, BASE_PATHS } from "../contract/tenant.ts";
import { authenticateKey } from "../keys/authenticate-key.ts";
import { HANDLERS } from "./handlers.ts";

/**
 * The route handlers of one base of the hosted API: whatever the method, the operation table
 * says what is carried out, for whom, how often, and what it answers.
 */
export function hostedApi(mode: ApiMode) {
  const handle = endpoint({}, async (call) => {
    const { request } = call;
    const pathname = new URL(request.url).pathname.slice(BASE_PATHS[mode].length);
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method === "GET" && pathname === OPENAPI_PATH)
      return jsonResponse(200, openApiDocument(env().APP_URL.origin, mode));

    for (const { operation, run } of HANDLERS) {
      const params = operation.method === method ? matchOperationPath(operation, pathname) : null;
      if (!params) continue;
      const caller = await authenticateKey(call, { mode, limitName: operation.limit });
      return run(caller, params, call);
    }
    // The gate has answered these already, from the same table.
    throw new ApiError("not_found", "There is nothing at this address. Check the path.");
  });
  return { GET: handle, POST: handle, PATCH: handle, DELETE: handle };
}
