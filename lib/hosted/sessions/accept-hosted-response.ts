import { parsePublicKey } from "#packages/login/crypto/public-key.ts";
import { type Action, parseChallenge } from "#packages/login/protocol/challenge.ts";
import type { AskedAnswer, ResponseAnswer, WalletResponse } from "#packages/login/protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#packages/login/protocol/numbers.ts";
import { isSid } from "#packages/login/protocol/qr-payload.ts";
import { addSeconds } from "#packages/login/protocol/time.ts";
import { acceptedAnswer } from "#packages/login/server/accept-response.ts";
import { tellWallet } from "#packages/login/server/ask-code.ts";
import type { LoginCore } from "#packages/login/server/core.ts";
import {
  judgeResponse,
  refuseResponse,
  refuseUnknown,
  showedOtherIntent,
  signerOf,
} from "#packages/login/server/judge-response.ts";
import { hashSecret, newWord } from "#packages/login/server/random.ts";
import type { CodeInfo, FoundChallenge, SpentChallenge } from "#packages/login/store/accept-response.ts";
import { deadlineOf, type Statement } from "#packages/login/store/database.ts";
import { FUNCTIONS_SCHEMA } from "#packages/login/store/functions-schema.ts";
import { formatEvent } from "../contract/event.ts";
import { newEventId, WAKE_TENANT_SQL } from "../events/event-queue.ts";

/** A challenge with its session and its domain. */
const HOSTED_CHALLENGE = `challenge
      JOIN login_session AS session USING (sid)
      JOIN hosted_session AS hosted USING (sid)
      JOIN domain ON domain.id = hosted.domain_id`;

const FIND_ASKED: Statement = {
  name: "find-asked-hosted-code",
  text: `SELECT challenge.issued_at AS "issuedAt", NULL AS intent, session.user_agent AS "userAgent",
      session.network, hosted.action, domain.domain
    FROM ${HOSTED_CHALLENGE}
    WHERE challenge.text = $1::text AND challenge.sid = $2::text AND challenge.issued_at > $3::timestamptz
      AND session.status <> 'authenticated'`,
};

/**
 * Returns to a wallet which browser asks for a session's code, as the customer described it
 * (docs/protocol.md#113-hosted-login). The response contains no user and no IP address, and asking has no effect.
 * @param asked.s the session that the payload names
 * @throws {Refusal} 408 `challenge_expired` for a code of another session, and for one that can no longer be answered
 */
export async function askSession(
  core: LoginCore,
  sid: string,
  { s, challenge, client }: { s: string | undefined; challenge: string; client: string },
): Promise<AskedAnswer> {
  if (s !== sid || !isSid(sid) || !parseChallenge(challenge)) return tellWallet(core, null, client);
  const values = [challenge, sid, addSeconds(core.now(), -CHALLENGE_LIFETIME_SECONDS)];
  const [code] = await core.database.run<CodeInfo & { action: Action; domain: string }>(FIND_ASKED, values);
  return tellWallet(core, code, client);
}

/**
 * Accepts or refuses a wallet response to a hosted session. The checks are those of the site's own webhooks, except
 * that any key may sign, because the customer knows its own users (docs/protocol.md#52-sessions).
 * @throws {Refusal} 408 `challenge_expired` (for an unknown session too), 406 `invalid_signature` or
 *   `intent_mismatch`
 */
export async function acceptHostedResponse(
  core: LoginCore,
  sid: string,
  response: WalletResponse,
  { requestId }: { requestId: string },
): Promise<ResponseAnswer> {
  const now = core.now();
  const call = { requestId, flow: "hosted" } as const;
  const { challenge, timestamp: signedAt, device_info: deviceInfo } = response;

  if (!parseChallenge(challenge)) throw refuseUnknown(core, call);
  const [found] = await core.database.run<FoundHostedChallenge>(FIND, [challenge, sid]);
  if (!found) throw refuseUnknown(core, call);

  const signer = signerOf(parsePublicKey(response.public_key), response);
  const lifetimeSeconds = CHALLENGE_LIFETIME_SECONDS;
  // No code of the hosted API has an intent.
  const showedOther = showedOtherIntent(response, null);
  const verdict = judgeResponse(found, signer !== null, { now, lifetimeSeconds, showedOther });
  if (verdict || signer === null) {
    throw await refuseResponse(core, { ...call, sid, now, reason: verdict ?? "invalid_signature" });
  }

  const { action, domainId } = found;
  const data = {
    public_key: signer.hex,
    signature: response.signature,
    challenge,
    signed_at: signedAt,
    device_info: deviceInfo ?? {},
  };
  const event = formatEvent(action, now, sid, data);
  const undoWord = newWord();
  type Spent = Pick<SpentChallenge, "userAgent" | "isKnownBrowser">;
  const [spent] = await core.database.run<Spent>(SPEND, [
    ...[challenge, signer.hex, now, addSeconds(now, -lifetimeSeconds), signedAt],
    ...[deviceInfo ? JSON.stringify(deviceInfo) : null, hashSecret(undoWord)],
    ...[newEventId(), domainId, action, event, deadlineOf(now)],
  ]);
  if (!spent) {
    // Another response has spent the challenge.
    throw await refuseResponse(core, { ...call, sid, now, reason: "challenge_used" });
  }
  core.onStep({ ...call, sid, outcome: "authenticated" });
  return acceptedAnswer(core, sid, spent, undoWord);
}

/** A challenge of the hosted API as a wallet response finds it. */
type FoundHostedChallenge = FoundChallenge & { action: Action; domainId: string };

/** Finds a challenge by its exact text among those of one session. */
const FIND: Statement = {
  name: "find-hosted-challenge",
  text: `SELECT challenge.sid, challenge.issued_at AS "issuedAt",
      session.status = 'authenticated' AS used, hosted.action, domain.id AS "domainId"
    FROM ${HOSTED_CHALLENGE}
    WHERE challenge.text = $1::text AND challenge.sid = $2::text`,
};

/**
 * Spends a challenge, authenticates its session, and writes the outgoing event with the job that sends it, in one
 * statement: exactly one response succeeds, and every login that was acknowledged to a wallet has its event.
 */
const SPEND: Statement = {
  name: "accept-hosted",
  text: `WITH found AS (
    SELECT challenge.sid, session.user_agent, session.network, domain.owner_id, hosted.webhook_url IS NOT NULL AS own_url,
      -- Read once the domain is locked: a change of its URL moves only the events that are there by then.
      COALESCE(hosted.webhook_url, domain.webhook_url) AS url
    FROM ${HOSTED_CHALLENGE}
    WHERE challenge.text = $1::text AND challenge.issued_at > $4::timestamptz AND domain.id = $9::text
    FOR KEY SHARE OF domain
  ), authenticated AS (
    SELECT * FROM found
    WHERE ${FUNCTIONS_SCHEMA}.authenticate_login(sid, $2::text, NULL, $5::bigint, $6::jsonb, $7::bytea, $3, $12)
  ), event AS (
    INSERT INTO webhook_event (id, domain_id, sid, kind, url, own_url, body, created_at, next_attempt_at)
    SELECT $8::text, $9::text, sid, $10::text, url, own_url, $11::text, $3::timestamptz, $3::timestamptz
    FROM authenticated
  )
  SELECT (SELECT ${WAKE_TENANT_SQL} FROM authenticated AS domain), user_agent AS "userAgent", EXISTS (
      -- A browser is known only by what the customer says about it, as long as sessions are kept.
      SELECT 1 FROM login_session AS earlier JOIN hosted_session AS hosted USING (sid)
      WHERE earlier.credential = $2::text AND earlier.flow = 'hosted' AND earlier.undone_at IS NULL
        AND hosted.domain_id = $9::text AND earlier.user_agent = authenticated.user_agent
        AND earlier.network = authenticated.network
    ) AS "isKnownBrowser"
    FROM authenticated`,
};
