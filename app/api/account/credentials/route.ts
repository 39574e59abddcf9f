import { CredentialAddition } from "#lib/contracts/credential.ts";
import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { endpoint, jsonResponse } from "#lib/core/http/endpoint.ts";
import { parseBody } from "#lib/core/http/parse-body.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { addCandidate } from "#lib/flows/account/add-credential.ts";

/** Adds what a wallet answered with to the ways in which the user signs in. */
export const POST = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  const { sid } = await parseBody(request, CredentialAddition);
  const secret = readBrowserCookie(request.headers.get("cookie"), env().SECURE);
  return jsonResponse(201, await addCandidate(sid, secret));
});
