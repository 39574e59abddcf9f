import { type Asker, requireAsker } from "#lib/approval/asker.ts";
import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import type { TokenClaims } from "#lib/login/server/session-token.ts";
import { endBrowserSessions, type SessionsEnd } from "#lib/login/store/browser-session.ts";
import { type Database, prismaDatabase, retryOnConflict } from "#lib/login/store/database.ts";
import { now } from "#lib/platform/clock.ts";
import type { Queries } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { isUuid } from "#lib/platform/uuid.ts";
import { loginCore } from "./login.ts";
import { lockCredentials } from "./store/credential.ts";
import { forgetHostedLogins } from "./store/hosted-logins.ts";
import { inNameOf } from "./store/in-name-of.ts";

/**
 * Signs a browser out: its session ends, if it has one, and so do its logins in progress
 * (docs/protocol.md#43-signing-out).
 */
export async function signOut(session: TokenClaims | null, secret: string | null): Promise<void> {
  if (!session && secret === null) return;
  const { userId = null, browserSessionId: id = null } = session ?? {};
  const browserHash = secret === null ? null : hashSecret(secret);
  const signedOut = { now: now(), userId, id, reason: "signed_out", browserHash, endsHere: true } as const;
  await retryOnConflict(() => end(loginCore().database, signedOut));
}

/**
 * Revokes one session of the signed-in user at once, with the logins in progress that would bring it back.
 * @returns whether this browser was signed out by it
 * @throws {ApiError} 401 when nobody is signed in, 404 for an id that is none of the user's sessions
 */
export async function revokeSession({ headers }: { headers: SentHeaders }, id: string): Promise<boolean> {
  const asker = await requireAsker(loginCore(), headers);
  const endsHere = id === asker.sessionId;
  const ended = isUuid(id)
    ? await inNameOf(asker, { needsApproval: false }, (queries) =>
        revoke(queries, asker, { id, endsHere, browserHash: browserHashOf(headers) }),
      )
    : 0;
  if (ended > 0) return endsHere;
  throw new ApiError("session_not_found", "You have no such session: it may have ended already.");
}

/**
 * Revokes every session of the user who asks, with their logins in progress, in the transaction of that change. Whoever
 * is just signing in with one of their credentials is waited for, and signed out too.
 */
export async function revokeEverySession(
  queries: Queries,
  asker: Asker,
  { headers }: { headers: SentHeaders },
): Promise<void> {
  await lockCredentials(queries, asker.userId);
  await revoke(queries, asker, { id: null, endsHere: true, browserHash: browserHashOf(headers) });
}

function browserHashOf(headers: SentHeaders): Uint8Array | null {
  const secret = readBindingSecret(headers.get("cookie"), env().SECURE);
  return secret === null ? null : hashSecret(secret);
}

function revoke(
  queries: Queries,
  { now, userId }: Asker,
  which: Pick<SessionsEnd, "id" | "endsHere" | "browserHash">,
): Promise<number> {
  return end(prismaDatabase(queries), { now, userId, reason: "revoked", ...which });
}

/** Ends sessions, and then the demo customer's logins in progress: it keeps them in a table of its own. */
async function end(database: Database, sessions: SessionsEnd): Promise<number> {
  const ended = await endBrowserSessions(database, sessions);
  await forgetHostedLogins(database, sessions);
  return ended;
}
