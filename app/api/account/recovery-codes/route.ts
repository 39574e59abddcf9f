import { requireApproval } from "#lib/account/require-approval.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";
import { loginCore } from "#lib/platform/login.ts";
import { makeCodes } from "#lib/recovery/recovery-codes.ts";

/** Makes two recovery codes; they are in this answer and nowhere else again (docs/protocol.md#101-recovery-codes). */
export const POST = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  const session = await requireSession();
  await requireApproval(session);
  return jsonResponse(201, await makeCodes(loginCore(), session));
});
