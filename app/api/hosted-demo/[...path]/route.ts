import {
  createDemoEndpoint,
  issueCodeWithTrace,
  readTrace,
  watchHostedLogin,
} from "#lib/hosted-demo/demo-customer.ts";
import type { HOSTED_DEMO_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";

/** The endpoints that the demo customer's login page calls. */
export const { GET } = mountOperations<typeof HOSTED_DEMO_ROUTES>({
  /** Returns a QR code, and the requests to the hosted API that created its session. */
  "GET /api/hosted-demo/qr": createDemoEndpoint("customer-qr", issueCodeWithTrace),

  /** Reports whether the event for this browser's login has arrived. */
  "GET /api/hosted-demo/check": createDemoEndpoint("hosted-demo-check", (customer, call) =>
    customer.check(call),
  ),

  /** Streams as server-sent events whether the event for this browser's login has arrived. */
  "GET /api/hosted-demo/events": createDemoEndpoint("events", watchHostedLogin),

  /** Returns the requests and events of this browser's login. */
  "GET /api/hosted-demo/trace": createDemoEndpoint("hosted-demo-trace", readTrace),
});
