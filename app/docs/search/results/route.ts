import { jsonResponse } from "#lib/login/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { searchDocumentation } from "../../documentation.ts";

/** What the search finds while its reader types. The page counts it: `/docs/search` shows the same without a script. */
export const GET = endpoint({}, async ({ query }) =>
  jsonResponse(200, { results: await searchDocumentation(query.q ?? "") }),
);
