import "server-only";
import { fastQuery, fastTokenTime, formatFastUrl } from "#lib/contracts/fast.ts";
import { FAST_CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import type { Intent } from "#lib/contracts/qr-data.ts";
import { ApiError } from "#lib/core/api-error.ts";
import { type MessageSigner, verifyBitcoinMessage } from "#lib/core/crypto/bitcoin-message.ts";
import { parsePublicKey } from "#lib/core/crypto/public-key.ts";
import { env } from "#lib/core/env.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { findFastChallenge, spendFastChallenge } from "#lib/store/fast-session.ts";
import { judgeDelivery } from "../login/judge-delivery.ts";
import type { SignedMessage } from "./read-signed-message.ts";

/** What came of a delivery: the three answers of specification 4.3, rule 3. */
export type FastOutcome = "authenticated" | "no_challenge" | "not_verified";

/** The query of a delivery, as it came. */
export type RequestedQuery = { sid?: string; c?: string; t?: string };

/**
 * A wallet's delivery to flow C's webhook: the rules of specification 4.3 in its order, by the core that all flows
 * share. On success the address stands on the session, and the challenge is spent.
 * @param call.limit the request's, counted with the query
 */
export async function acceptFastDelivery(
  query: RequestedQuery,
  signed: SignedMessage,
  { requestId, limit }: { requestId: string; limit: RequestLimit | null },
): Promise<FastOutcome> {
  const { sid = "", c = "" } = query;
  try {
    await judgeDelivery({
      requestId,
      flow: "fast",
      lifetimeSeconds: FAST_CHALLENGE_LIFETIME_SECONDS,
      find: async (at) =>
        fastTokenTime(sid) === null || fastTokenTime(c) === null
          ? null
          : findFastChallenge({ limit, now: at, sid, text: c }),
      signer: (found) => (isBoundMessage(query, found.intent, signed.msg) ? signerOf(signed) : null),
      accept: (found, { address }, now) =>
        spendFastChallenge({ now, sid: found.sid, challenge: c, address: address.text }),
    });
    return "authenticated";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "challenge_expired") return "no_challenge";
    if (error.code === "invalid_signature") return "not_verified";
    throw error;
  }
}

/**
 * Contract 6: the message is the QR URL itself, ours to the letter, with what this request names and with the intent
 * that the code was issued with. Without this rule whatever somebody ever signed, anywhere, would sign in as them.
 */
function isBoundMessage(
  { sid = "", c = "", t = "" }: RequestedQuery,
  intent: Intent | null,
  msg: string,
): boolean {
  const query = fastQuery(sid, c, intent);
  return query !== null && query.t === t && msg === formatFastUrl(env().APP_URL.origin, query);
}

function signerOf({ msg, sig, addr, pubk }: SignedMessage): MessageSigner | null {
  const signer = verifyBitcoinMessage({ message: msg, sig, addr });
  if (!signer || pubk === "") return signer;
  return parsePublicKey(pubk)?.hex === signer.publicKey ? signer : null;
}
