import { demoEndpoint } from "#lib/hosted-demo/demo-endpoint.ts";

/** The demo customer's code for this browser, from its session at the hosted API. */
export const GET = demoEndpoint("hosted-demo-qr", (customer, call) => customer.qr(call));
