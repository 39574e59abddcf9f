import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { parsePublicKey } from "#packages/login/crypto/public-key.ts";
import { computeStatementDeadline } from "#packages/login/database/database.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { type Action, parseChallenge } from "#packages/login/protocol/challenge.ts";
import type { CodeDescription, ResponseAnswer, WalletResponse } from "#packages/login/protocol/messages.ts";
import { addSeconds, CHALLENGE_LIFETIME_SECONDS } from "#packages/login/protocol/numbers.ts";
import { isSid } from "#packages/login/protocol/qr-payload.ts";
import type { SpentChallenge } from "#packages/login/server/accept-response.ts";
import { createResponseAnswer } from "#packages/login/server/accept-response.ts";
import type { StoredChallenge } from "#packages/login/server/check-response.ts";
import {
  checkResponse,
  isIntentMismatch,
  refuseResponse,
  refuseUnknownChallenge,
  verifySigner,
} from "#packages/login/server/check-response.ts";
import type { LoginCore } from "#packages/login/server/core.ts";
import type { CodeInfo } from "#packages/login/server/describe-code.ts";
import { describeCodeToWallet } from "#packages/login/server/describe-code.ts";
import { generateRandomToken, hashSecret } from "#packages/login/server/random.ts";
import { formatEvent } from "../contract/event.ts";
import { generateEventId } from "../events/event-queue.ts";

const FIND_SESSION_CODE = svcFunction("who_is_asking_hosted", ["challengeText", "sessionSid", "issuedSince"]);

/**
 * Sends the customer's description of the browser that requested the QR code (docs/protocol.md#113-hosted-login). The
 * response contains neither a user nor an IP address, and the request changes nothing.
 * @param asked.s the session from the QR payload
 * @throws {Refusal} 408 `challenge_expired` if the QR code belongs to another session or can no longer be answered
 */
export async function describeSessionCode(
  core: LoginCore,
  sid: string,
  { s, challenge, client }: { s: string | undefined; challenge: string; client: string },
): Promise<CodeDescription> {
  if (s !== sid || !isSid(sid) || !parseChallenge(challenge)) return describeCodeToWallet(core, null, client);
  const code = await callSqlFunction<SessionCode>(core.database, FIND_SESSION_CODE, {
    challengeText: challenge,
    sessionSid: sid,
    issuedSince: addSeconds(core.now(), -CHALLENGE_LIFETIME_SECONDS),
  });
  // QR codes of the hosted API never have an intent.
  return describeCodeToWallet(core, code && { ...code, intent: null }, client);
}

/**
 * Makes the same checks as the site's own webhooks, except that any key may sign, because the customer knows its own
 * users (docs/protocol.md#52-sessions).
 * @throws {Refusal} 408 `challenge_expired` (also for an unknown session), 406 `invalid_signature` or `intent_mismatch`
 */
export async function acceptHostedResponse(
  core: LoginCore,
  sid: string,
  response: WalletResponse,
  { requestId }: { requestId: string },
): Promise<ResponseAnswer> {
  const now = core.now();
  const step = { requestId, flow: "hosted" } as const;
  const { challenge, timestamp: signedAt, device_info: deviceInfo } = response;

  if (!parseChallenge(challenge)) throw refuseUnknownChallenge(core, step);
  const challengeKey = { challengeText: challenge, sessionSid: sid };
  const found = await callSqlFunction<FoundHostedChallenge>(core.database, FIND, challengeKey);
  if (!found) throw refuseUnknownChallenge(core, step);

  const signer = verifySigner(parsePublicKey(response.public_key), response);
  const lifetimeSeconds = CHALLENGE_LIFETIME_SECONDS;
  const showedOther = isIntentMismatch(response, null);
  const verdict = checkResponse(found, signer !== null, { now, lifetimeSeconds, showedOther });
  if (verdict || signer === null) {
    throw await refuseResponse(core, { ...step, sid, now, reason: verdict ?? "invalid_signature" });
  }

  const data = {
    public_key: signer.hex,
    signature: response.signature,
    challenge,
    signed_at: signedAt,
    device_info: deviceInfo ?? {},
  };
  const undoWord = generateRandomToken();
  const spentChallenge = await callSqlFunction<Pick<SpentChallenge, "userAgent" | "isKnownBrowser">>(
    core.database,
    ACCEPT,
    {
      challengeText: challenge,
      signer: signer.hex,
      signedAt,
      deviceInfo: deviceInfo ? JSON.stringify(deviceInfo) : null,
      undoHash: hashSecret(undoWord),
      eventId: generateEventId(),
      eventKind: found.action,
      eventBody: formatEvent(found.action, now, sid, data),
      now,
      issuedSince: addSeconds(now, -lifetimeSeconds),
      deadline: computeStatementDeadline(now),
    },
  );
  if (!spentChallenge) {
    // Another response has spent the challenge.
    throw await refuseResponse(core, { ...step, sid, now, reason: "challenge_used" });
  }
  core.onStep({ ...step, sid, outcome: "authenticated" });
  return createResponseAnswer(core, sid, spentChallenge, undoWord);
}

type SessionCode = Omit<CodeInfo, "intent"> & { action: Action; domain: string };

type FoundHostedChallenge = StoredChallenge & { action: Action };

const FIND = svcFunction("find_hosted_challenge", ["challengeText", "sessionSid"]);

const ACCEPT = svcFunction("accept_hosted", [
  "challengeText",
  "signer",
  "signedAt",
  "deviceInfo",
  "undoHash",
  "eventId",
  "eventKind",
  "eventBody",
  "now",
  "issuedSince",
  "deadline",
]);
