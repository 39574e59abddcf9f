import { jsonResponse } from "#lib/login/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { searchDocumentation } from "../../documentation.ts";

/** What the search finds while somebody types; counted as a page is. Without a script `/docs/search` shows the same. */
export const GET = endpoint({}, async ({ query }) =>
  jsonResponse(200, { results: await searchDocumentation(query.q ?? "") }),
);
