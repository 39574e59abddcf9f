import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { exportAccount } from "#lib/account/export-account.ts";
import { requireSession } from "#lib/platform/current-session.ts";
import { requestLimit } from "#lib/platform/http/rate-limit.ts";

/** Everything that is kept about the signed-in user, as a file. It can be long, so it is counted by user too. */
export const GET = accountEndpoint(async ({ carry }) => {
  const { userId } = await requireSession();
  const limit = requestLimit("account-export", String(userId));
  carry(limit);
  await limit.take();
  const headers = {
    "Content-Type": "application/json",
    "Content-Disposition": 'attachment; filename="account.json"',
    "Cache-Control": "no-store",
  };
  return new Response(await exportAccount(userId), { headers });
});
