import { acceptHostedResponse, describeSessionCode } from "#lib/hosted/sessions/accept-hosted-response.ts";
import { loginCore } from "#lib/login.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { type EndpointCall, jsonResponse } from "#packages/login/http/call.ts";
import { requireClient } from "#packages/login/http/client-address.ts";
import { parseBody } from "#packages/login/http/read-body.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { WalletResponse } from "#packages/login/protocol/messages.ts";
import { readTruncatedHeader, wantsJson } from "#packages/login/server/web-request.ts";

/** Handles a wallet's requests about a hosted session, and the wallet's response (docs/protocol.md#52-sessions). */
const answer = createEndpoint({ limit: "webhook-sessions" }, async (call) =>
  jsonResponse(200, await (call.request.method === "POST" ? respond(call) : ask(call))),
);

export { answer as GET, answer as HEAD, answer as POST };

async function respond(call: EndpointCall) {
  const response = await parseBody(call.request, WalletResponse);
  return acceptHostedResponse(loginCore(), call.params.id ?? "", response, call);
}

function ask(call: EndpointCall) {
  const { request, params, query } = call;
  // QR codes of the hosted API never contain this URL, so a phone's camera never opens it and no page is needed.
  if (!wantsJson(readTruncatedHeader(request.headers, "accept"))) {
    throw refusal("method_not_allowed", "This URL accepts POST requests, and GET requests for JSON.", {
      headers: { Allow: "GET, HEAD, POST" },
    });
  }
  const client = requireClient(request);
  return describeSessionCode(loginCore(), params.id ?? "", { s: query.s, challenge: query.c ?? "", client });
}
