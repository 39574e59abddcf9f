import { recordChange } from "#lib/account/changes.ts";
import { requireApproval } from "#lib/account/require-approval.ts";
import { consoleEndpoint } from "#lib/console/console-endpoint.ts";
import { NewApiKey } from "#lib/hosted/contract/api-key.ts";
import { createKey } from "#lib/hosted/keys/create-key.ts";
import { describeApiKey } from "#lib/hosted/keys/describe-api-key.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

const KeyName = NewApiKey.pick({ name: true });

/**
 * Makes an API key of the path's mode. The key is in this answer and nowhere else again. Needs an approval: it
 * outlives the session.
 */
export const POST = consoleEndpoint(async ({ ownerId, mode, session }, { request }) => {
  const { name } = await parseBody(request, KeyName);
  await requireApproval(session);
  const created = await createKey(ownerId, { mode, name });
  await recordChange(session, "api_key_created", describeApiKey(created));
  return jsonResponse(201, { id: created.id, key: created.key });
});
