import { requireSession } from "#lib/platform/current-session.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";
import { loginCore } from "#lib/platform/login.ts";
import { TypedCodes } from "#lib/recovery/messages.ts";
import { activateCodes } from "#lib/recovery/recovery-codes.ts";

/** Makes the new codes work, once both are typed back. */
export const POST = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  const { codes } = await parseBody(request, TypedCodes);
  const session = await requireSession();
  return jsonResponse(200, await activateCodes(loginCore(), session, codes));
});
