import { recordChange } from "#lib/account/store/history.ts";
import { withLockedSession } from "#lib/account/store/with-locked-session.ts";
import { describeApiKey, revokeUserApiKeys } from "#lib/hosted/keys/manage-keys.ts";
import { endHostedLogins } from "#lib/hosted-demo/hosted-logins.ts";
import { loginCore, requireApproval } from "#lib/login.ts";
import type { PrismaQueries } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { prismaDatabase } from "#packages/login/database/database.ts";
import { type Requester, requireRequester } from "#packages/login/plugins/approvals/requester.ts";
import { endBrowserSessions } from "#packages/login/server/browser-session.ts";
import { readBrowserHash } from "#packages/login/server/cookies.ts";
import type { RequestHeaders } from "#packages/login/server/web-request.ts";

/**
 * Uses one transaction: a concurrent request to create a key either finishes first, so that its key is revoked too, or
 * fails because its session has ended. Signing out needs no approval, but revoking the keys does.
 * @throws {Refusal} 401 if signed out, 403 `approval_required` if API keys would be revoked
 */
export async function signOutEverywhere(
  request: { headers: RequestHeaders },
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

/** Revokes the keys of both modes. */
export async function revokeApiKeys(request: { headers: RequestHeaders }): Promise<void> {
  const asker = await requireApproval(request);
  await withLockedSession(asker, { needsApproval: true }, (queries) => revokeApiKeysWithin(queries, asker));
}

/** Records each revocation as a change that the user is shown. */
async function revokeApiKeysWithin(queries: PrismaQueries, asker: Requester): Promise<void> {
  for (const key of await revokeUserApiKeys(queries, asker)) {
    await recordChange(queries, asker, "api_key_revoked", describeApiKey(key));
  }
}

/** If someone is signing in with one of the user's credentials, this function waits and then ends that session too. */
async function revokeEverySession(
  queries: PrismaQueries,
  asker: Requester,
  { headers }: { headers: RequestHeaders },
): Promise<void> {
  // Takes the locks in a separate statement, so that the next statement also sees sessions that were opened in the
  // meantime.
  await queries.$queryRaw`SELECT 1 FROM credential WHERE user_id = ${asker.userId} ORDER BY id FOR UPDATE`;
  const { now, userId } = asker;
  const browserHash = readBrowserHash(headers.get("cookie"), env().APP_URL);
  const end = { now, userId, id: null, endsHere: true, browserHash, reason: "revoked" } as const;
  const within = prismaDatabase(queries);
  await endBrowserSessions(within, end);
  // The demo customer's pending logins are in a separate table.
  await endHostedLogins(within, end);
}
