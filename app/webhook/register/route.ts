import { Delivery } from "#lib/login/protocol/wallet-response.ts";
import { acceptDelivery } from "#lib/login/server/accept-response.ts";
import { endpoint, jsonResponse } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/** Specification 4.1: a wallet's delivery of a signed register challenge. */
export const POST = endpoint({ limit: "webhook-register", countedWithQuery: true }, async (call) =>
  jsonResponse(200, await acceptDelivery("register", await parseBody(call.request, Delivery), call)),
);
