import { Delivery } from "#lib/login/protocol/wallet-response.ts";
import { acceptDelivery } from "#lib/login/server/accept-response.ts";
import { endpoint, jsonResponse } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/** Specification 4.1: a wallet's delivery of a signed login challenge. */
export const POST = endpoint({ limit: "webhook-login", countedWithQuery: true }, async (call) =>
  jsonResponse(200, await acceptDelivery("login", await parseBody(call.request, Delivery), call)),
);
