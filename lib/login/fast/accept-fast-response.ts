import { parsePublicKey } from "../crypto/public-key.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import type { LoginCore } from "../server/core.ts";
import { judgeResponse, refuseResponse, refuseUnknown } from "../server/judge-response.ts";
import { type MessageSigner, verifyBitcoinMessage } from "./crypto/bitcoin-message.ts";
import { FAST_CHALLENGE_LIFETIME_SECONDS, fastTokenTime, parseFastUrl } from "./protocol.ts";
import type { SignedMessage } from "./read-signed-message.ts";
import { findFastChallenge, spendFastChallenge } from "./store/fast-session.ts";

/** What became of a response (docs/protocol.md#62-get-and-post-apifastauth). */
export type FastOutcome = "authenticated" | "no_challenge" | "not_verified";

/** The query of a response, as it came. */
export type RequestedQuery = { sid?: string; c?: string; t?: string };

/**
 * Accepts or refuses a wallet response: finds the challenge, judges, spends. On success the address stands on the
 * session.
 */
export async function acceptFastResponse(
  core: LoginCore,
  query: RequestedQuery,
  signed: SignedMessage,
  { requestId }: { requestId: string },
): Promise<FastOutcome> {
  const now = core.now();
  const call = { requestId, flow: "fast" } as const;
  const { sid = "", c: challenge = "" } = query;

  const named = fastTokenTime(sid) !== null && fastTokenTime(challenge) !== null;
  const found = named ? await findFastChallenge(core.database, { now, sid, text: challenge }) : null;
  if (!found) {
    refuseUnknown(core, call);
    return "no_challenge";
  }

  const showed = signedIntent(core, query, signed.msg);
  const signer = showed === undefined ? null : signerOf(signed);
  const lifetimeSeconds = FAST_CHALLENGE_LIFETIME_SECONDS;
  const showedOther = showed !== found.intent;
  const verdict = judgeResponse(found, signer !== null, { now, lifetimeSeconds, showedOther });
  const outcome =
    verdict ??
    (signer &&
      (await spendFastChallenge(core.database, { now, sid, challenge, address: signer.address.text })));
  if (outcome === "spent") {
    core.onStep({ ...call, sid, outcome: "authenticated" });
    return "authenticated";
  }
  const reason = outcome ?? "invalid_signature";
  await refuseResponse(core, { ...call, sid, now, reason });
  return reason === "challenge_used" || reason === "challenge_expired" ? "no_challenge" : "not_verified";
}

/**
 * The intent in the message, which is the one that the wallet showed. The message is the QR URL to the letter, with
 * what this request names: without this rule whatever somebody ever signed, anywhere, would sign in as them.
 * @returns undefined for any other message
 */
function signedIntent(
  { origin }: LoginCore,
  { sid, c, t }: RequestedQuery,
  msg: string,
): Intent | null | undefined {
  const signed = parseFastUrl(origin.origin, msg);
  return signed && signed.sid === sid && signed.c === c && signed.t === t ? signed.intent : undefined;
}

function signerOf({ msg, sig, addr, pubk }: SignedMessage): MessageSigner | null {
  const signer = verifyBitcoinMessage({ message: msg, sig, addr });
  if (!signer || pubk === "") return signer;
  return parsePublicKey(pubk)?.hex === signer.publicKey ? signer : null;
}
