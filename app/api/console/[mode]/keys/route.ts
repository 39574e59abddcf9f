import { requireApproval } from "#lib/account/login.ts";
import { recordChange } from "#lib/account/store/history.ts";
import { inNameOf } from "#lib/account/store/in-name-of.ts";
import { consoleEndpoint } from "#lib/console/console-endpoint.ts";
import { createKey, describeApiKey, NewApiKey } from "#lib/hosted/keys/manage-keys.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/**
 * Makes an API key of the path's mode. The key is in this answer and nowhere else again. Needs an approval: it
 * outlives the session.
 */
export const POST = consoleEndpoint(async ({ tenantId, mode }, { request }) => {
  const { name } = await parseBody(request, NewApiKey);
  const asker = await requireApproval(request);
  const { id, key } = await inNameOf(asker, { needsApproval: true }, async (queries) => {
    const created = await createKey(queries, tenantId, { mode, name });
    await recordChange(queries, asker, "api_key_created", describeApiKey(created));
    return created;
  });
  return jsonResponse(201, { id, key });
});
