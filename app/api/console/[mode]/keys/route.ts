import { NewApiKey } from "#lib/contracts/hosted/api-key.ts";
import { jsonResponse } from "#lib/core/http/endpoint.ts";
import { parseBody } from "#lib/core/http/parse-body.ts";
import { recordChange } from "#lib/flows/account/changes.ts";
import { requireApproval } from "#lib/flows/auth/require-approval.ts";
import { consoleEndpoint } from "#lib/flows/console/console-endpoint.ts";
import { createKey } from "#lib/flows/keys/create-key.ts";
import { keyInWords } from "#lib/flows/keys/key-in-words.ts";

const KeyName = NewApiKey.pick({ name: true });

/**
 * Makes an API key of the path's mode. The key is in this answer and nowhere else again. Needs an approval: it
 * outlives the session.
 */
export const POST = consoleEndpoint(async ({ ownerId, mode, session }, { request }) => {
  const { name } = await parseBody(request, KeyName);
  await requireApproval(session);
  const created = await createKey(ownerId, { mode, name });
  await recordChange(session, "api_key_created", keyInWords(created));
  return jsonResponse(201, { id: created.id, key: created.key });
});
