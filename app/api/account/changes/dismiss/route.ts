import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { dismissSeenChanges } from "#lib/account/changes.ts";
import { DismissedChanges } from "#lib/account/contract/account-change.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/** Hides changes that were made in another browser. */
export const POST = accountEndpoint(async ({ request }) => {
  const { ids } = await parseBody(request, DismissedChanges);
  await dismissSeenChanges(ids);
  return new Response(null, { status: 204 });
});
