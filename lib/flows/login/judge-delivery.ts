import "server-only";
import type { Delivery } from "#lib/contracts/delivery.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { now, plusSeconds } from "#lib/core/clock.ts";
import { parseDerSignature } from "#lib/core/crypto/der-signature.ts";
import type { PublicKey } from "#lib/core/crypto/public-key.ts";
import { verifySignature } from "#lib/core/crypto/verify-signature.ts";
import type { LoginFlow } from "#lib/core/observe/meters.ts";
import { type LoginReason, tellLogin } from "#lib/core/observe/tell-login.ts";
import { type FoundChallenge, logRefusal } from "#lib/store/challenge-delivery.ts";

/** What became of a well-signed answer. `foreign_key`: it is not of the user who has to approve. */
export type Acceptance = "accepted" | "used" | "foreign_key";

/**
 * What the flows' deliveries differ in. `Found` is a challenge with what the flow needs to know of it, `Signer`
 * who signed.
 */
export type DeliverySteps<Found extends FoundChallenge, Signer> = {
  requestId: string;
  flow: LoginFlow;
  /** How long a challenge lives from its issue. */
  lifetimeSeconds: number;
  /** The challenge that the delivery names, by its exact text; null when it is none of this endpoint's. */
  find(at: Date): Promise<Found | null>;
  /** Who signed; null when key or signature cannot be parsed, or do not belong together. */
  signer(found: Found): Signer | null;
  /**
   * Spends the challenge and authenticates its session, in one transaction.
   * @returns `used` when somebody else was first
   * @throws {ApiError} when this signer may not sign in
   */
  accept(found: Found, signer: Signer, at: Date): Promise<Acceptance>;
};

/**
 * Judges a delivery by the rules of specification 4.1 in the order of contract 4. Nothing is written before the
 * signature has verified, but for the log; the challenge is spent by success alone.
 * @throws {ApiError} 408 `challenge_expired`, 406 `invalid_signature`, and what `accept` throws
 */
export async function judgeDelivery<Found extends FoundChallenge, Signer>(
  steps: DeliverySteps<Found, Signer>,
): Promise<void> {
  const { requestId, flow } = steps;
  const at = now();
  const found = await steps.find(at);
  if (!found) {
    tellLogin({ requestId, flow, sid: null, outcome: "refused", reason: "challenge_unknown" });
    throw refusal("challenge_expired");
  }
  const { sid } = found;
  const refuse = async (why: Refusal, reason: LoginReason = why) => {
    tellLogin({ requestId, flow, sid, outcome: "refused", reason });
    await logRefusal({ now: at, sid, reason: why });
    return refusal(why);
  };
  if (found.used) throw await refuse("challenge_expired", "challenge_used");
  if (found.issuedAt <= plusSeconds(at, -steps.lifetimeSeconds)) throw await refuse("challenge_expired");
  const signer = steps.signer(found);
  if (signer === null) throw await refuse("invalid_signature");
  const acceptance = await steps.accept(found, signer, at);
  if (acceptance === "used") throw await refuse("challenge_expired", "challenge_used");
  if (acceptance === "foreign_key") throw await refuse("foreign_key");
  tellLogin({ requestId, flow, sid, outcome: "authenticated" });
}

/** `publicKey` when it signed the delivery's challenge; null when it did not, or is none. */
export function signerOf(publicKey: PublicKey | null, { signature, challenge }: Delivery): PublicKey | null {
  const parsed = publicKey && parseDerSignature(signature);
  return parsed && verifySignature({ publicKey, signature: parsed, message: challenge }) ? publicKey : null;
}

type Refusal = "challenge_expired" | "invalid_signature" | "foreign_key";

const REFUSALS: Record<Refusal, string> = {
  challenge_expired: "This code has expired or was used already. Scan the code that is on the screen now.",
  invalid_signature: "The signature does not verify over SHA-256 of the challenge with this public key.",
  foreign_key:
    "This key does not belong to the account that asks for an approval. Approve with a key that the account has.",
};

function refusal(why: Refusal): ApiError {
  return new ApiError(why === "foreign_key" ? "invalid_signature" : why, REFUSALS[why]);
}
