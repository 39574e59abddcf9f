import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { jsonResponse } from "#packages/login/http/call.ts";
import { searchDocumentation } from "../../documentation.ts";

/** Without a script, `/docs/search` is used. */
export const GET = createEndpoint({}, async ({ query }) =>
  jsonResponse(200, { results: await searchDocumentation(query.q ?? "") }),
);
