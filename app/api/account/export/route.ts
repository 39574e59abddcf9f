import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { exportAccount } from "#lib/account/export-account.ts";

/** Everything that is kept about the signed-in user, as a file. */
export const GET = accountEndpoint(async () => {
  const headers = {
    "Content-Type": "application/json",
    "Content-Disposition": 'attachment; filename="account.json"',
    "Cache-Control": "no-store",
  };
  return new Response(await exportAccount(), { headers });
});
