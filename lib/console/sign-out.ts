import { recordChange } from "#lib/account/store/history.ts";
import { withLockedSession } from "#lib/account/store/with-locked-session.ts";
import { describeApiKey, revokeUserKeys } from "#lib/hosted/keys/manage-keys.ts";
import { forgetHostedLogins } from "#lib/hosted-demo/hosted-logins.ts";
import { loginCore, requireApproval } from "#lib/login.ts";
import type { Queries } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { prismaDatabase } from "#packages/login/database/database.ts";
import { type Requester, requireRequester } from "#packages/login/plugins/approvals/requester.ts";
import { endBrowserSessions } from "#packages/login/server/browser-session.ts";
import { readBrowserHash } from "#packages/login/server/cookies.ts";
import type { SentHeaders } from "#packages/login/server/web-request.ts";

/**
 * Ends all sessions of the signed-in user and then, if requested, revokes the API keys, in one transaction. A session
 * that is creating a key either creates it before that, or has ended and cannot create it. Signing out needs no
 * approval; revoking the keys does.
 * @throws {Refusal} 401 without a sign-in, 403 `approval_required` for the keys
 */
export async function signOutEverywhere(
  request: { headers: SentHeaders },
  { revokesKeys }: { revokesKeys: boolean },
): Promise<void> {
  const asker = revokesKeys
    ? await requireApproval(request)
    : await requireRequester(loginCore(), request.headers);
  await withLockedSession(asker, { needsApproval: revokesKeys }, async (queries) => {
    await recordChange(queries, asker, "signed_out_everywhere", null);
    await revokeEverySession(queries, asker, request);
    if (revokesKeys) await revokeApiKeysWithin(queries, asker);
  });
}

/** Revokes every API key of the signed-in user, in both modes. */
export async function revokeApiKeys(request: { headers: SentHeaders }): Promise<void> {
  const asker = await requireApproval(request);
  await withLockedSession(asker, { needsApproval: true }, (queries) => revokeApiKeysWithin(queries, asker));
}

/** Revokes the keys within a change of the user's account. The user is shown each key as a change. */
async function revokeApiKeysWithin(queries: Queries, asker: Requester): Promise<void> {
  for (const key of await revokeUserKeys(queries, asker)) {
    await recordChange(queries, asker, "api_key_revoked", describeApiKey(key));
  }
}

/**
 * Revokes every session of the requesting user, and their logins in progress, in the transaction of that change. If a
 * sign-in with one of their credentials is in progress, waits for it and then ends its session too.
 */
async function revokeEverySession(
  queries: Queries,
  asker: Requester,
  { headers }: { headers: SentHeaders },
): Promise<void> {
  // A separate statement, so that it sees what the previous one waited for, such as a newly opened session.
  await queries.$queryRaw`SELECT 1 FROM credential WHERE user_id = ${asker.userId} ORDER BY id FOR UPDATE`;
  const { now, userId } = asker;
  const browserHash = readBrowserHash(headers.get("cookie"), env().APP_URL);
  const end = { now, userId, id: null, endsHere: true, browserHash, reason: "revoked" } as const;
  const within = prismaDatabase(queries);
  await endBrowserSessions(within, end);
  // The demo customer's pending logins are in a separate table.
  await forgetHostedLogins(within, end);
}
