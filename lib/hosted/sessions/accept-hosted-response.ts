import { parsePublicKey } from "#lib/login/crypto/public-key.ts";
import { parseChallenge } from "#lib/login/protocol/challenge.ts";
import type { ResponseAnswer, WalletResponse } from "#lib/login/protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import {
  judgeResponse,
  refuseResponse,
  refuseUnknown,
  showedOtherIntent,
  signerOf,
} from "#lib/login/server/judge-response.ts";
import { formatEvent } from "../contract/event.ts";
import { newEventId } from "../ids.ts";
import { findHostedChallenge, spendHostedChallenge } from "../store/hosted-response.ts";

/**
 * Accepts or refuses a wallet response to a hosted session. It is judged as at the site's own webhooks, except that
 * any key may sign: the customer knows its own users (docs/protocol.md#52-sessions).
 * @throws {Refusal} 408 `challenge_expired` (for an unknown session too), 406 `invalid_signature` or
 *   `intent_mismatch`
 */
export async function acceptHostedResponse(
  core: LoginCore,
  sid: string,
  response: WalletResponse,
  { requestId }: { requestId: string },
): Promise<Pick<ResponseAnswer, "status">> {
  const now = core.now();
  const call = { requestId, flow: "hosted" } as const;
  const { challenge, timestamp: signedAt, device_info: deviceInfo } = response;

  const found = parseChallenge(challenge) ? await findHostedChallenge(core.database, challenge, sid) : null;
  if (!found) throw refuseUnknown(core, call);

  const signer = signerOf(parsePublicKey(response.public_key), response);
  const lifetimeSeconds = CHALLENGE_LIFETIME_SECONDS;
  const verdict = judgeResponse(found, signer !== null, { now, lifetimeSeconds });
  if (verdict || signer === null) {
    throw await refuseResponse(core, { ...call, sid, now, reason: verdict ?? "invalid_signature" });
  }

  // No code of the hosted API has an intent.
  if (showedOtherIntent(response, null)) {
    throw await refuseResponse(core, { ...call, sid, now, reason: "intent_mismatch" });
  }

  const { action, domainId, webhookUrl: url } = found;
  const data = {
    public_key: signer.hex,
    signature: response.signature,
    challenge,
    signed_at: signedAt,
    device_info: deviceInfo ?? {},
  };
  const body = formatEvent({ event: action, timestamp: now, sessionId: sid, data });
  const event = { id: newEventId(), kind: action, domainId, url, body };
  const success = { now, challenge, publicKey: signer.hex, signedAt, deviceInfo, event };
  if (!(await spendHostedChallenge(core.database, success))) {
    // Another response was first.
    throw await refuseResponse(core, { ...call, sid, now, reason: "challenge_used" });
  }
  core.onStep({ ...call, sid, outcome: "authenticated" });
  return { status: "authenticated" };
}
