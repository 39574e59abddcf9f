import type { SessionsEnd } from "#lib/login/store/browser-session.ts";
import { type Database, statement } from "#lib/login/store/database.ts";

const FORGET = statement({
  name: "end-hosted-logins-with-sessions",
  with: `forgotten AS (
    DELETE FROM hosted_login WHERE redeemed_at IS NULL AND (
      $1::boolean AND browser_hash = $2::bytea
      OR $3::boolean AND browser_hash IS DISTINCT FROM $2::bytea
        AND public_key IN (SELECT value FROM credential WHERE user_id = $4::int)
    )
    RETURNING 1
  )`,
  select: "SELECT count(*)::int FROM forgotten",
  durable: true,
});

/** Ends the demo customer's logins in progress as browser sessions end: at this browser, or of this user's keys. */
export async function forgetHostedLogins(
  database: Database,
  { endsHere, browserHash, reason, userId }: SessionsEnd,
): Promise<void> {
  await database.run(FORGET, [endsHere, browserHash, reason === "revoked", userId]);
}
