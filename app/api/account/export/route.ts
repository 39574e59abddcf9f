import { exportAccount } from "#lib/account/export-account.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";

/** Everything that is kept about the signed-in user, as a file. */
export const GET = endpoint({}, async () => {
  const headers = {
    "Content-Type": "application/json",
    "Content-Disposition": 'attachment; filename="account.json"',
    "Cache-Control": "no-store",
  };
  return new Response(await exportAccount(), { headers });
});
