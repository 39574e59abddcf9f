import { coreOfCall } from "#lib/account/login.ts";
import { acceptHostedResponse } from "#lib/hosted/sessions/accept-hosted-response.ts";
import { WalletResponse } from "#lib/login/protocol/messages.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/** A wallet response to a hosted session (docs/protocol.md#52-sessions). */
export const POST = endpoint({ limit: "webhook-sessions", countedWithQuery: true }, async (call) => {
  const response = await parseBody(call.request, WalletResponse);
  return jsonResponse(
    200,
    await acceptHostedResponse(coreOfCall(call), call.params.id ?? "", response, call),
  );
});
