import { endpoint } from "#lib/platform/http/endpoint.ts";
import { jsonResponse } from "#packages/login/http/call.ts";
import { searchDocumentation } from "../../documentation.ts";

/**
 * Search results while the reader types, counted in the same way as pages. Without a script, `/docs/search` shows them.
 */
export const GET = endpoint({}, async ({ query }) =>
  jsonResponse(200, { results: await searchDocumentation(query.q ?? "") }),
);
