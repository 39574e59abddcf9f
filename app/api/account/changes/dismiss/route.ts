import { DismissedChanges } from "#lib/contracts/account-change.ts";
import { endpoint } from "#lib/core/http/endpoint.ts";
import { parseBody } from "#lib/core/http/parse-body.ts";
import { requireSameOrigin } from "#lib/core/http/require-same-origin.ts";
import { dismissSeenChanges } from "#lib/flows/account/changes.ts";

/** Shows changes that another browser made no more in this one. */
export const POST = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  const { ids } = await parseBody(request, DismissedChanges);
  await dismissSeenChanges(ids);
  return new Response(null, { status: 204 });
});
