import { countCodeTry } from "#lib/account/recovery.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";
import { loginCore } from "#lib/platform/login.ts";
import { TypedCode } from "#lib/recovery/messages.ts";
import { checkCode } from "#lib/recovery/recovery-codes.ts";

/** Tells the signed-in user that a code of theirs works, and leaves it as it is. Limited as the real thing. */
export const POST = endpoint({}, async (call) => {
  requireSameOrigin(call.request);
  const { code } = await parseBody(call.request, TypedCode);
  const session = await requireSession();
  await countCodeTry("recovery-check", call);
  return jsonResponse(200, await checkCode(loginCore(), session, code));
});
