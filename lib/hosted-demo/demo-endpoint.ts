import "server-only";
import type { Customer, CustomerCall } from "#lib/customer/customer.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import type { LimitName } from "#lib/platform/http/request-limit.ts";
import { demoCustomer } from "./demo-customer.ts";

/** Mounts what the demo customer answers to browsers; 404 where the demo is switched off. */
export function demoEndpoint(
  limit: LimitName,
  handle: (customer: Customer, call: CustomerCall) => Promise<Response>,
) {
  return endpoint({ limit }, async (call) => {
    if (!env().HOSTED_DEMO) throw new ApiError("not_found", "The demo is switched off here.");
    return handle(demoCustomer(), call);
  });
}
