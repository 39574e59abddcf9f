import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { addCandidate } from "#lib/account/add-credential.ts";
import { CredentialAddition } from "#lib/account/contract/credential.ts";
import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/** Adds what a wallet answered with to the ways in which the user signs in. */
export const POST = accountEndpoint(async ({ request }) => {
  const { sid } = await parseBody(request, CredentialAddition);
  const secret = readBindingSecret(request.headers.get("cookie"), env().SECURE);
  return jsonResponse(201, await addCandidate(sid, secret));
});
