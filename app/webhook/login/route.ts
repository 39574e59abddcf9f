import { Delivery } from "#lib/contracts/delivery.ts";
import { endpoint, jsonResponse } from "#lib/core/http/endpoint.ts";
import { parseBody } from "#lib/core/http/parse-body.ts";
import { acceptDelivery } from "#lib/flows/login/accept-delivery.ts";

/** Specification 4.1: a wallet's delivery of a signed login challenge. */
export const POST = endpoint({ limit: "webhook-login", countedWithQuery: true }, async (call) =>
  jsonResponse(200, await acceptDelivery("login", await parseBody(call.request, Delivery), call)),
);
