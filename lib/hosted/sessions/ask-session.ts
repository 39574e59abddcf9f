import { type Action, parseChallenge } from "#lib/login/protocol/challenge.ts";
import type { AskedAnswer } from "#lib/login/protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import { isSid } from "#lib/login/protocol/qr-payload.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { tellOfCode } from "#lib/login/server/ask-code.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import type { AskedCode } from "#lib/login/store/accept-response.ts";
import { statement } from "#lib/login/store/database.ts";

const FIND_ASKED = statement({
  name: "find-asked-hosted-code",
  select: `SELECT challenge.issued_at AS "issuedAt", NULL AS intent, session.user_agent AS "userAgent",
      session.network, hosted.action, domain.domain
    FROM challenge
      JOIN login_session AS session USING (sid)
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id
    WHERE challenge.text = $1::text AND challenge.sid = $2::text AND challenge.issued_at > $3::timestamptz
      AND challenge.spent_at IS NULL AND session.status <> 'authenticated'`,
  durable: false,
});

/**
 * Tells a wallet which browser asks for a session's code, as its customer has said
 * (docs/protocol.md#113-hosted-login). It names no user and no address, and changes nothing.
 * @param asked.s the session that the payload names
 * @throws {Refusal} 408 `challenge_expired` for a code of another session, and for one that cannot be answered any more
 */
export async function askSession(
  core: LoginCore,
  sid: string,
  { s, challenge, client }: { s: string | undefined; challenge: string; client: string },
): Promise<AskedAnswer> {
  if (s !== sid || !isSid(sid) || !parseChallenge(challenge)) return tellOfCode(core, null, client);
  const values = [challenge, sid, addSeconds(core.now(), -CHALLENGE_LIFETIME_SECONDS)];
  const [code] = await core.database.run<AskedCode & { action: Action; domain: string }>(FIND_ASKED, values);
  return tellOfCode(core, code, client);
}
