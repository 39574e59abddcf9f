import { consoleEndpoint } from "#lib/console/console-endpoint.ts";
import { NewApiKey } from "#lib/hosted/contract/api-key.ts";
import { createKey } from "#lib/hosted/keys/create-key.ts";
import { jsonResponse } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

const KeyName = NewApiKey.pick({ name: true });

/** Makes an API key of the path's mode. The key is in this answer and nowhere else again. */
export const POST = consoleEndpoint(async ({ ownerId, mode }, { request }) => {
  const { name } = await parseBody(request, KeyName);
  const { id, key } = await createKey(ownerId, { mode, name });
  return jsonResponse(201, { id, key });
});
