import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { addCandidate } from "#lib/account/add-credential.ts";
import { dropCredential, nameCredential } from "#lib/account/change-credential.ts";
import { CredentialAddition, CredentialName, DismissedChanges } from "#lib/account/contract.ts";
import { deleteAccount } from "#lib/account/delete-account.ts";
import { revokeSession } from "#lib/account/end-sessions.ts";
import { exportAccount } from "#lib/account/export-account.ts";
import { login, requireSession } from "#lib/account/login.ts";
import { recordBackupAsked } from "#lib/account/store/account.ts";
import { dismissChanges } from "#lib/account/store/history.ts";
import { revokeApiKeys, signOutEverywhere } from "#lib/console/sign-out.ts";
import { expiredBindingSetCookie, readBindingSecret } from "#lib/login/server/cookies.ts";
import { now } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { requestLimit } from "#lib/platform/http/rate-limit.ts";
import type { ACCOUNT_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";

const done = (headers?: HeadersInit) => new Response(null, { status: 204, headers });
/** Ends what this browser is bound to: nobody is signed in here any more. */
const signedOutHere = () => ({ "Set-Cookie": expiredBindingSetCookie(env().SECURE) });

/** The signed-in user's own account. */
export const { GET, POST, PATCH, DELETE } = mountOperations<typeof ACCOUNT_ROUTES>({
  /** Deletes the account, for good. */
  "DELETE /api/account": accountEndpoint(async ({ request }) => {
    await deleteAccount(request);
    return done(signedOutHere());
  }),

  /** Everything that is kept about the user, as a file. It can be long, so it is counted by user too. */
  "GET /api/account/export": accountEndpoint(async ({ count }) => {
    const { userId } = await requireSession();
    await count(requestLimit("account-export", String(userId)));
    const headers = {
      "Content-Type": "application/json",
      "Content-Disposition": 'attachment; filename="account.json"',
      "Cache-Control": "no-store",
    };
    return new Response(await exportAccount(userId), { headers });
  }),

  /** Revokes every API key of the user, of both modes. */
  "DELETE /api/account/api-keys": accountEndpoint(async ({ request }) => {
    await revokeApiKeys(request);
    return done();
  }),

  /** Puts the question for a second way in aside, for good. */
  "POST /api/account/backup-question/dismiss": accountEndpoint(async () => {
    await recordBackupAsked((await requireSession()).userId, now());
    return done();
  }),

  /** Hides changes of the account in this browser, and in no other. */
  "POST /api/account/changes/dismiss": accountEndpoint(async ({ request }) => {
    const { ids } = await parseBody(request, DismissedChanges);
    await dismissChanges(await requireSession(), ids.map(BigInt));
    return done();
  }),

  /** Cancels the recovery of the account, from any of the user's browsers. */
  "DELETE /api/account/recovery": login.routes.DELETE,

  /** Makes two recovery codes; they are in this answer and nowhere else again (docs/protocol.md#101-recovery-codes). */
  "POST /api/account/recovery-codes": login.routes.POST,

  /** Tells the user that a code of theirs works, and leaves it as it is. */
  "POST /api/account/recovery-codes/check": login.routes.POST,

  /** Makes the new codes work, once both are typed back. */
  "POST /api/account/recovery-codes/confirm": login.routes.POST,

  /** What the holder of an added key says to the account that it opens: a form, answered by a redirect, without script. */
  "POST /api/account/added-key": login.routes.POST,

  /** Adds what a wallet answered with to the ways in which the user signs in. */
  "POST /api/account/credentials": accountEndpoint(async ({ request }) => {
    const { sid } = await parseBody(request, CredentialAddition);
    const secret = readBindingSecret(request.headers.get("cookie"), env().SECURE);
    return jsonResponse(201, await addCandidate(request, sid, secret));
  }),

  /** Names a way to sign in. */
  "PATCH /api/account/credentials/:id": accountEndpoint(async ({ request, params }) => {
    const { label } = await parseBody(request, CredentialName);
    await nameCredential(request, params.id ?? "", label);
    return done();
  }),

  /** Removes a way to sign in; never the last one. */
  "DELETE /api/account/credentials/:id": accountEndpoint(async ({ request, params }) => {
    await dropCredential(request, params.id ?? "");
    return done();
  }),

  /** Signs the user out everywhere, here too; with `?api_keys=revoke` the user's API keys are revoked too. */
  "DELETE /api/account/sessions": accountEndpoint(async ({ request, query }) => {
    if (query.api_keys !== undefined && query.api_keys !== "revoke") {
      throw new ApiError("invalid_request", 'api_keys is "revoke", or absent to keep them.');
    }
    await signOutEverywhere(request, { revokesKeys: query.api_keys === "revoke" });
    return done(signedOutHere());
  }),

  /** Revokes one of the user's sessions. */
  "DELETE /api/account/sessions/:id": accountEndpoint(async ({ request, params }) => {
    const endsThis = await revokeSession(request, params.id ?? "");
    return done(endsThis ? signedOutHere() : undefined);
  }),
});
