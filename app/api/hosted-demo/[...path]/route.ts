import {
  createDemoEndpoint,
  issueCodeWithTrace,
  readTrace,
  watchHostedLogin,
} from "#lib/hosted-demo/demo-customer.ts";
import type { HOSTED_DEMO_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";

export const { GET } = mountOperations<typeof HOSTED_DEMO_ROUTES>({
  "GET /api/hosted-demo/qr": createDemoEndpoint("customer-qr", issueCodeWithTrace),

  "GET /api/hosted-demo/check": createDemoEndpoint("hosted-demo-check", (customer, call) =>
    customer.check(call),
  ),

  "GET /api/hosted-demo/events": createDemoEndpoint("events", watchHostedLogin),

  "GET /api/hosted-demo/trace": createDemoEndpoint("hosted-demo-trace", readTrace),
});
