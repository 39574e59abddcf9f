import { exportAccount } from "#lib/account/export-account.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";

/** Everything that is kept about the signed-in user, as a file. */
export const GET = endpoint({}, async () =>
  jsonResponse(200, await exportAccount(), { "Content-Disposition": 'attachment; filename="account.json"' }),
);
