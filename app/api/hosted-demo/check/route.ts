import { demoEndpoint } from "#lib/hosted-demo/demo-endpoint.ts";

/** Whether the event of this browser's login has come. */
export const GET = demoEndpoint("hosted-demo-check", (customer, call) => customer.check(call));
