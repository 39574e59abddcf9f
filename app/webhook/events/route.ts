import { demoCustomer } from "#lib/hosted-demo/demo-customer.ts";
import { REQUEST_ID_HEADER } from "#packages/login/http/client-address.ts";

/** Errors are `{error: "<message>"}`. */
export function POST(request: Request): Promise<Response> {
  return demoCustomer().webhook({ request, requestId: request.headers.get(REQUEST_ID_HEADER) ?? "" });
}
