import { Delivery } from "#lib/contracts/delivery.ts";
import { endpoint, jsonResponse } from "#lib/core/http/endpoint.ts";
import { parseBody } from "#lib/core/http/parse-body.ts";
import { acceptDelivery } from "#lib/flows/login/accept-delivery.ts";

/** Specification 4.1: a wallet's delivery of a signed register challenge. */
export const POST = endpoint({ limit: "webhook-register", countedWithQuery: true }, async (call) =>
  jsonResponse(200, await acceptDelivery("register", await parseBody(call.request, Delivery), call)),
);
