import { acceptHostedDelivery } from "#lib/hosted/sessions/accept-hosted-response.ts";
import { Delivery } from "#lib/login/protocol/wallet-response.ts";
import { endpoint, jsonResponse } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/** Contract 5: a wallet's delivery of a signed challenge to a hosted session. */
export const POST = endpoint({ limit: "webhook-sessions", countedWithQuery: true }, async (call) =>
  jsonResponse(
    200,
    await acceptHostedDelivery(call.params.id ?? "", await parseBody(call.request, Delivery), call),
  ),
);
