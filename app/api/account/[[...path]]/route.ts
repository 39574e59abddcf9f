import { deleteAccount } from "#lib/account/delete-account.ts";
import { changeProfile, ProfileChange, readPicture } from "#lib/account/profile.ts";
import { streamExport } from "#lib/account/stream-export.ts";
import { revokeApiKeys, signOutEverywhere } from "#lib/console/sign-out.ts";
import { login, requireSession } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { endpoint, renderRefusalPage } from "#lib/platform/http/endpoint.ts";
import { requestLimit } from "#lib/platform/http/rate-limit.ts";
import type { ACCOUNT_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";
import { parseBody } from "#packages/login/http/read-body.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { expiredBindingSetCookie } from "#packages/login/server/cookies.ts";

/**
 * Counted by client address rather than by user, so that a thief with a session cannot prevent its owner from ending
 * it.
 */
const ACCOUNT = { limit: "account", ownPagesOnly: true, render: renderRefusalPage } as const;

const done = (headers?: HeadersInit) => new Response(null, { status: 204, headers });
/** Expires this browser's binding cookie once its session has ended. */
const signedOutHere = () => ({ "Set-Cookie": expiredBindingSetCookie(env().APP_URL) });

/** The signed-in user's own account. */
export const { GET, POST, PATCH, DELETE } = mountOperations<typeof ACCOUNT_ROUTES>({
  /** Deletes the account permanently. */
  "DELETE /api/account": endpoint(ACCOUNT, async ({ request }) => {
    await deleteAccount(request);
    return done(signedOutHere());
  }),

  /** All stored data about the user as a file. It can be long, so requests are also counted per user. */
  "GET /api/account/export": endpoint(ACCOUNT, async ({ request, count }) => {
    const session = await requireSession();
    if (request.method === "HEAD") return new Response(null);
    const limit = requestLimit("account-export", String(session.userId));
    const headers = {
      "Content-Type": "application/json",
      "Content-Disposition": 'attachment; filename="account.json"',
      "Cache-Control": "no-store",
    };
    return new Response(await streamExport(session, () => count(limit)), { headers });
  }),

  /** Revokes all of the user's API keys, in both modes. */
  "DELETE /api/account/api-keys": endpoint(ACCOUNT, async ({ request }) => {
    await revokeApiKeys(request);
    return done();
  }),

  /** Changes the user's name and picture. */
  "PATCH /api/account/profile": endpoint(ACCOUNT, async ({ request }) => {
    await changeProfile(request, await parseBody(request, ProfileChange));
    return done();
  }),

  /** The user's picture, for that user only. The picture's URL changes whenever the picture changes. */
  "GET /api/account/picture": endpoint(ACCOUNT, async () => {
    const picture = await readPicture((await requireSession()).userId);
    if (!picture) throw refusal("not_found", "You have no picture.");
    const headers = {
      "Content-Type": "image/jpeg",
      "Content-Disposition": 'inline; filename="picture.jpg"',
      "Cache-Control": "private, max-age=86400",
      Vary: "Cookie",
    };
    return new Response(picture, { headers });
  }),

  /** Hides changes to the account in this browser only. */
  "POST /api/account/changes/dismiss": login.routes.POST,

  /** Cancels the recovery of the account, from any of the user's browsers. */
  "DELETE /api/account/recovery": login.routes.DELETE,

  /** Makes two recovery codes, which only this answer shows (docs/protocol.md#101-recovery-codes). */
  "POST /api/account/recovery-codes": login.routes.POST,

  /** Reports whether a recovery code works, without using it up. */
  "POST /api/account/recovery-codes/check": login.routes.POST,

  /** Activates the new codes once both have been entered. */
  "POST /api/account/recovery-codes/confirm": login.routes.POST,

  /**
   * Applies the decision of an added key's holder about the account that the key opens. A form whose response is a
   * redirect.
   */
  "POST /api/account/added-key": login.routes.POST,

  /** Adds the key or address that answered a code to the user's sign-in methods. */
  "POST /api/account/credentials": login.routes.POST,

  /** Renames a sign-in method. */
  "PATCH /api/account/credentials/:id": login.routes.PATCH,

  /** Removes a sign-in method, except the last one. */
  "DELETE /api/account/credentials/:id": login.routes.DELETE,

  /**
   * Signs the user out everywhere, including this browser. With `?api_keys=revoke`, also revokes the user's API keys.
   */
  "DELETE /api/account/sessions": endpoint(ACCOUNT, async ({ request, query }) => {
    if (query.api_keys !== undefined && query.api_keys !== "revoke") {
      throw refusal("invalid_request", 'Set api_keys to "revoke", or leave it out to keep the keys.');
    }
    await signOutEverywhere(request, { revokesKeys: query.api_keys === "revoke" });
    return done(signedOutHere());
  }),

  /** Revokes one of the user's sessions. */
  "DELETE /api/account/sessions/:id": login.routes.DELETE,
});
