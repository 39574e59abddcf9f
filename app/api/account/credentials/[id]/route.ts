import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { dropCredential, nameCredential } from "#lib/account/change-credential.ts";
import { CredentialName } from "#lib/account/contract/credential.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";

/** Names a way to sign in. */
export const PATCH = accountEndpoint(async ({ request, params }) => {
  const { label } = await parseBody(request, CredentialName);
  await nameCredential(params.id ?? "", label);
  return new Response(null, { status: 204 });
});

/** Removes a way to sign in; never the last one. */
export const DELETE = accountEndpoint(async ({ params }) => {
  await dropCredential(params.id ?? "");
  return new Response(null, { status: 204 });
});
