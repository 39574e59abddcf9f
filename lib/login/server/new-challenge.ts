import "server-only";
import { now } from "#lib/platform/clock.ts";
import { type Action, formatChallenge } from "../protocol/challenge.ts";
import { unixSeconds } from "../protocol/time.ts";
import { newNonce } from "./random.ts";

/** A challenge of this moment for flows A and B (specification 2.1), not yet issued to any session. */
export function newChallenge(action: Action, domain: string) {
  const issuedAt = now();
  /** Unix seconds: the challenge's own and the QR payload's `ts`. */
  const timestamp = unixSeconds(issuedAt);
  const challenge = formatChallenge({ action, domain, timestamp, nonce: newNonce() });
  return { issuedAt, timestamp, challenge };
}
