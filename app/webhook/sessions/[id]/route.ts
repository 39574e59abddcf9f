import { Delivery } from "#lib/contracts/delivery.ts";
import { endpoint, jsonResponse } from "#lib/core/http/endpoint.ts";
import { parseBody } from "#lib/core/http/parse-body.ts";
import { acceptHostedDelivery } from "#lib/flows/hosted/accept-hosted-delivery.ts";

/** Contract 5: a wallet's delivery of a signed challenge to a hosted session. */
export const POST = endpoint({ limit: "webhook-sessions", countedWithQuery: true }, async (call) =>
  jsonResponse(
    200,
    await acceptHostedDelivery(call.params.id ?? "", await parseBody(call.request, Delivery), call),
  ),
);
