import {
  demoEndpoint,
  issueCodeWithTrace,
  readTrace,
  watchHostedLogin,
} from "#lib/hosted-demo/demo-customer.ts";
import type { HOSTED_DEMO_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";

/** The demo customer's responses to its login page. */
export const { GET } = mountOperations<typeof HOSTED_DEMO_ROUTES>({
  /** A code for this browser from its session at the hosted API, and the API requests that created it. */
  "GET /api/hosted-demo/qr": demoEndpoint("customer-qr", issueCodeWithTrace),

  /** Whether the event for this browser's login has arrived. */
  "GET /api/hosted-demo/check": demoEndpoint("hosted-demo-check", (customer, call) => customer.check(call)),

  /** The same as server-sent events. */
  "GET /api/hosted-demo/events": demoEndpoint("events", watchHostedLogin),

  /** The requests and events behind this browser's login. */
  "GET /api/hosted-demo/trace": demoEndpoint("hosted-demo-trace", readTrace),
});
