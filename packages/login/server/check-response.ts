import type { PublicKey } from "../crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "../crypto/signature.ts";
import type { Database } from "../database/database.ts";
import { callSqlFunction, sqlFunction } from "../database/sql-function.ts";
import { type Refusal, type RefusalReason, refusal } from "../protocol/errors.ts";
import type { WalletResponse } from "../protocol/messages.ts";
import { addSeconds } from "../protocol/numbers.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import type { LoginCore, LoginFlow } from "./core.ts";

export type StoredChallenge = {
  sid: string;
  issuedAt: Date;
  /** One accepted response uses up all challenges of the login session. */
  used: boolean;
};

/** In the order in which the faults are checked. */
export type ResponseFault = "challenge_used" | "challenge_expired" | "invalid_signature" | "intent_mismatch";

/**
 * docs/protocol.md#32-post-webhooklogin-post-webhookregister
 * @param showedOther whether the wallet showed an intent that differs from the code's
 * @returns null if the response may spend the challenge
 */
export function checkResponse(
  challenge: StoredChallenge,
  isSigned: boolean,
  { now, lifetimeSeconds, showedOther }: { now: Date; lifetimeSeconds: number; showedOther: boolean },
): ResponseFault | null {
  if (challenge.used) return "challenge_used";
  if (challenge.issuedAt <= addSeconds(now, -lifetimeSeconds)) return "challenge_expired";
  if (!isSigned) return "invalid_signature";
  return showedOther ? "intent_mismatch" : null;
}

/**
 * The intent in a QR payload is not signed, so someone who relayed the code might have changed it
 * (docs/protocol.md#36-intents).
 */
export function isIntentMismatch(
  { intent }: Pick<WalletResponse, "intent">,
  codeIntent: Intent | null,
): boolean {
  return intent !== undefined && intent !== codeIntent;
}

export function verifySigner(publicKey: PublicKey | null, response: WalletResponse): PublicKey | null {
  const signature = publicKey && parseDerSignature(response.signature);
  return signature && verifySignature({ publicKey, signature, message: response.challenge })
    ? publicKey
    : null;
}

const MESSAGES: Record<RefusalReason, string> = {
  challenge_expired: "This code has expired or was already used. Scan the code that is on the screen now.",
  invalid_signature: "The signature does not verify over SHA-256 of the challenge with this public key.",
  intent_mismatch:
    "The wallet showed a request that differs from the one in the code, so the code was changed on its way. Nothing was done. Scan the code on the site's own page, not a copy of it.",
  foreign_key:
    "This key cannot be used for this code. To approve a change, use a key that can sign in to this account. To recover an account or link a wallet, use a key that has no account yet.",
};

type RefusedResponse = ResponseFault | "foreign_key";

type ResponseCall = { requestId: string; flow: LoginFlow };

export function refuseUnknownChallenge({ onStep }: LoginCore, call: ResponseCall): Refusal {
  onStep({ ...call, sid: null, outcome: "refused", reason: "challenge_unknown" });
  return responseRefusal("challenge_expired");
}

/** Records the refusal and notifies the waiting browser. */
export async function refuseResponse(
  { database, onStep }: LoginCore,
  { sid, reason, now, ...call }: ResponseCall & { sid: string; reason: RefusedResponse; now: Date },
): Promise<Refusal> {
  const code = reason === "challenge_used" ? "challenge_expired" : reason;
  onStep({ ...call, sid, outcome: "refused", reason });
  await recordRefusal(database, { now, sid, reason: code });
  return responseRefusal(code);
}

function responseRefusal(reason: RefusalReason): Refusal {
  return refusal(reason === "foreign_key" ? "invalid_signature" : reason, MESSAGES[reason]);
}

const RECORD_REFUSAL = sqlFunction("record_refusal", ["refusedSid", "reason", "now"]);

/** Does not change the login's status. */
export async function recordRefusal(
  database: Database,
  { now, sid, reason }: { now: Date; sid: string; reason: RefusalReason },
): Promise<void> {
  await callSqlFunction(database, RECORD_REFUSAL, { refusedSid: sid, reason, now });
}
