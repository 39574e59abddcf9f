import type { Asker } from "#lib/login/approval/asker.ts";
import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { endBrowserSessions } from "#lib/login/store/browser-session.ts";
import { prismaDatabase } from "#lib/login/store/database.ts";
import type { Queries } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { forgetHostedLogins } from "./store/hosted-logins.ts";

/**
 * Revokes every session of the user who asks, with their logins in progress, in the transaction of that change. Whoever
 * is just signing in with one of their credentials is waited for, and signed out too.
 */
export async function revokeEverySession(
  queries: Queries,
  asker: Asker,
  { headers }: { headers: SentHeaders },
): Promise<void> {
  // A statement of its own: the next one sees what those did that it has waited for, such as opening a session.
  await queries.$queryRaw`SELECT 1 FROM credential WHERE user_id = ${asker.userId} ORDER BY id FOR UPDATE`;
  const { now, userId } = asker;
  const end = {
    now,
    userId,
    id: null,
    endsHere: true,
    browserHash: browserHashOf(headers),
    reason: "revoked",
  } as const;
  const within = prismaDatabase(queries);
  await endBrowserSessions(within, end);
  // The demo customer's logins in progress are in a table of their own.
  await forgetHostedLogins(within, end);
}

function browserHashOf(headers: SentHeaders): Uint8Array | null {
  const secret = readBindingSecret(headers.get("cookie"), env().SECURE);
  return secret === null ? null : hashSecret(secret);
}
