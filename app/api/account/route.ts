import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { deleteAccount } from "#lib/account/delete-account.ts";
import { expiredBindingSetCookie } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";

/** Deletes the signed-in user's account, for good. */
export const DELETE = accountEndpoint(async () => {
  await deleteAccount();
  return new Response(null, {
    status: 204,
    headers: { "Set-Cookie": expiredBindingSetCookie(env().SECURE) },
  });
});
