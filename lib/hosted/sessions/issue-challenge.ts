import type { Action } from "#lib/login/protocol/challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import { formatSvcUri } from "#lib/login/protocol/qr-payload.ts";
import { addSeconds } from "#lib/login/protocol/time.ts";
import { newChallenge } from "#lib/login/server/issue-login.ts";
import { now } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";

/**
 * A new challenge for a hosted session, with the fields that it is handed out with (docs/protocol.md#52-sessions): the
 * wallet answers to our own webhook, and we to the customer's.
 */
export function newHostedChallenge(sid: string, action: Action, domain: string) {
  const issuedAt = now();
  const { timestamp, challenge } = newChallenge(issuedAt, action, domain);
  const webhook = `${env().APP_URL.origin}/webhook/sessions/${sid}`;
  return {
    issuedAt,
    handedOut: {
      id: sid,
      challenge,
      qr_data: formatSvcUri({ webhook, session: sid, challenge, ts: timestamp, intent: null }),
      expires_at: expiryOf(issuedAt).toISOString(),
    },
  };
}

/** When a challenge ends, by its own issue time. */
export function expiryOf(issuedAt: Date): Date {
  return addSeconds(issuedAt, CHALLENGE_LIFETIME_SECONDS);
}
