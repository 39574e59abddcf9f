import { deleteAccount } from "#lib/account/delete-account.ts";
import { changeProfile, ProfileChange, readProfilePicture } from "#lib/account/profile.ts";
import { streamAccountExport } from "#lib/account/stream-account-export.ts";
import { revokeApiKeys, signOutEverywhere } from "#lib/console/sign-out.ts";
import { login, requireSession } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { createEndpoint, renderRefusalPage } from "#lib/platform/http/endpoint.ts";
import { createRequestLimit } from "#lib/platform/http/rate-limit.ts";
import type { ACCOUNT_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";
import { parseBody } from "#packages/login/http/read-body.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { createExpiredBindingCookie } from "#packages/login/server/cookies.ts";

/**
 * Requests are counted per client address and not per user. Otherwise, a thief with a session could use up the limit
 * and prevent the owner from ending that session.
 */
const ACCOUNT = { limit: "account", ownPagesOnly: true, render: renderRefusalPage } as const;

const done = (headers?: HeadersInit) => new Response(null, { status: 204, headers });
const signedOutHere = () => ({ "Set-Cookie": createExpiredBindingCookie(env().APP_URL) });

export const { GET, POST, PATCH, DELETE } = mountOperations<typeof ACCOUNT_ROUTES>({
  "DELETE /api/account": createEndpoint(ACCOUNT, async ({ request }) => {
    await deleteAccount(request);
    return done(signedOutHere());
  }),

  /** An export can be long, so requests for it are also counted per user. */
  "GET /api/account/export": createEndpoint(ACCOUNT, async ({ request, count }) => {
    const session = await requireSession();
    if (request.method === "HEAD") return new Response(null);
    const limit = createRequestLimit("account-export", String(session.userId));
    const headers = {
      "Content-Type": "application/json",
      "Content-Disposition": 'attachment; filename="account.json"',
      "Cache-Control": "no-store",
    };
    return new Response(await streamAccountExport(session, () => count(limit)), { headers });
  }),

  "DELETE /api/account/api-keys": createEndpoint(ACCOUNT, async ({ request }) => {
    await revokeApiKeys(request);
    return done();
  }),

  "PATCH /api/account/profile": createEndpoint(ACCOUNT, async ({ request }) => {
    await changeProfile(request, await parseBody(request, ProfileChange));
    return done();
  }),

  /** The picture's URL changes whenever the picture changes. */
  "GET /api/account/picture": createEndpoint(ACCOUNT, async () => {
    const picture = await readProfilePicture((await requireSession()).userId);
    if (!picture) throw refusal("not_found", "You have no picture.");
    const headers = {
      "Content-Type": "image/jpeg",
      "Content-Disposition": 'inline; filename="picture.jpg"',
      "Cache-Control": "private, max-age=86400",
      Vary: "Cookie",
    };
    return new Response(picture, { headers });
  }),

  /** Affects only this browser. */
  "POST /api/account/changes/dismiss": login.routes.POST,

  /** Any browser in which the user is signed in can cancel it. */
  "DELETE /api/account/recovery": login.routes.DELETE,

  /** Only this response contains the codes (docs/protocol.md#101-recovery-codes). */
  "POST /api/account/recovery-codes": login.routes.POST,

  /** Does not spend the code. */
  "POST /api/account/recovery-codes/check": login.routes.POST,

  /** Both new codes must have been entered. */
  "POST /api/account/recovery-codes/confirm": login.routes.POST,

  /** The page submits a plain form, so the response is a redirect. */
  "POST /api/account/added-key": login.routes.POST,

  "POST /api/account/credentials": login.routes.POST,

  "PATCH /api/account/credentials/:id": login.routes.PATCH,

  /** Refuses to remove the last one. */
  "DELETE /api/account/credentials/:id": login.routes.DELETE,

  /** With `?api_keys=revoke`, also revokes the user's API keys. */
  "DELETE /api/account/sessions": createEndpoint(ACCOUNT, async ({ request, query }) => {
    if (query.api_keys !== undefined && query.api_keys !== "revoke") {
      throw refusal("invalid_request", 'Set api_keys to "revoke", or leave it out to keep the keys.');
    }
    await signOutEverywhere(request, { revokesKeys: query.api_keys === "revoke" });
    return done(signedOutHere());
  }),

  "DELETE /api/account/sessions/:id": login.routes.DELETE,
});
