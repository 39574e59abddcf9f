import "server-only";
import type { Action } from "#lib/contracts/challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import { formatSvcUri } from "#lib/contracts/qr-data.ts";
import { plusSeconds } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { newChallenge } from "../login/new-challenge.ts";

/**
 * A new challenge for a hosted session, with the fields that it is handed out with (specification 2.4): the
 * wallet answers to our own webhook, and we to the integrator's.
 */
export function newHostedChallenge(sid: string, action: Action, domain: string) {
  const { issuedAt, timestamp, challenge } = newChallenge(action, domain);
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
  return plusSeconds(issuedAt, CHALLENGE_LIFETIME_SECONDS);
}
