import { countCodeTry } from "#lib/account/recovery.ts";
import { env } from "#lib/platform/env.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";
import { loginCore } from "#lib/platform/login.ts";
import { recoveryCookie } from "#lib/recovery/cookie.ts";
import { TypedCode } from "#lib/recovery/messages.ts";
import { RECOVERY_PERMISSION_SECONDS } from "#lib/recovery/numbers.ts";
import { openRecovery } from "#lib/recovery/open-recovery.ts";

/** Opens a recovery with a code (docs/protocol.md#102-post-apirecovery). Another site's page uses up nobody's tries. */
export const POST = endpoint({}, async (call) => {
  const { request } = call;
  requireSameOrigin(request);
  const { code } = await parseBody(request, TypedCode);
  await countCodeTry("recovery", call);
  const userAgent = request.headers.get("user-agent");
  const { answer, secret } = await openRecovery(loginCore(), { typed: code, userAgent });
  const cookie = recoveryCookie(secret, RECOVERY_PERMISSION_SECONDS, env().SECURE);
  return jsonResponse(200, answer, { "Set-Cookie": cookie });
});
