import { acceptWalletAnswer, REDIRECT_PARAMETER } from "#lib/conformance-runs/accept-wallet-answer.ts";
import { loginCore } from "#lib/login.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { refusal } from "#packages/login/protocol/errors.ts";

/**
 * Accepts a wallet's response to a QR code of `/conformance` (docs/conformance.md#a-wallet-on-a-phone). Never signs
 * anyone in.
 */
export const POST = createEndpoint({ limit: "conformance-answers" }, async (call) => {
  const { request, params, query } = call;
  const { run = "", code = "" } = params;
  if (!/^\d{1,3}$/.test(code)) throw refusal("not_found", "This run has ended or does not exist.");
  return acceptWalletAnswer(loginCore(), request, {
    run,
    place: Number(code),
    detour: REDIRECT_PARAMETER in query,
  });
});
