import { parsePublicKey } from "../crypto/public-key.ts";
import { browserName } from "../protocol/browser-name.ts";
import type { Action } from "../protocol/challenge.ts";
import { refusal } from "../protocol/errors.ts";
import type { ResponseAnswer, WalletResponse } from "../protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "../protocol/numbers.ts";
import { findAndSpendChallenge, markUnregistered, type SpentChallenge } from "../store/accept-response.ts";
import type { RequestCount } from "../store/count-request.ts";
import { retryOnConflict } from "../store/database.ts";
import { isOurChallenge } from "./ask-code.ts";
import type { LoginCore } from "./core.ts";
import {
  judgeResponse,
  refuseResponse,
  refuseUnknown,
  showedOtherIntent,
  signerOf,
} from "./judge-response.ts";
import { hashSecret, newWord } from "./random.ts";
import { undoUrl } from "./undo-login.ts";

/**
 * Accepts or refuses a wallet response, in the order of docs/protocol.md#32-post-webhooklogin-post-webhookregister. The
 * signature is verified first, so that one statement can both find the challenge and spend it.
 * @param action the webhook's; a challenge of the other action counts as unknown
 * @param limit counts the request
 * @throws {Refusal} 408 `challenge_expired`, 406 `invalid_signature` or `intent_mismatch`, 404 `user_not_found`
 */
export async function acceptResponse(
  core: LoginCore,
  action: Action,
  response: WalletResponse,
  { requestId, limit }: { requestId: string; limit: RequestCount | null },
): Promise<ResponseAnswer> {
  const now = core.now();
  const call = { requestId, flow: "login" } as const;
  const signer = signerOf(parsePublicKey(response.public_key), response);
  const registers = action === "register";
  const undoWord = newWord();
  const answered = {
    now,
    challenge: response.challenge,
    signer: signer?.hex ?? null,
    registers,
    signedAt: response.timestamp,
    deviceInfo: response.device_info,
    showed: response.intent,
    undoHash: hashSecret(undoWord),
  };

  const found = isOurChallenge(core, action, response.challenge)
    ? await retryOnConflict(() => findAndSpendChallenge(core.database, answered, limit))
    : null;
  if (!found) throw refuseUnknown(core, call);

  const { sid } = found;
  const verdict = judgeResponse(found, signer !== null, {
    ...{ now, lifetimeSeconds: CHALLENGE_LIFETIME_SECONDS },
    showedOther: showedOtherIntent(response, found.intent),
  });
  if (verdict || signer === null) {
    throw await refuseResponse(core, { ...call, sid, now, reason: verdict ?? "invalid_signature" });
  }
  if (found.keyNotAllowed) throw await refuseResponse(core, { ...call, sid, now, reason: "foreign_key" });
  if (found.userId === null && !registers) {
    core.onStep({ ...call, sid, outcome: "unregistered", reason: "unknown_key" });
    await markUnregistered(core.database, { now, sid, credential: signer.hex });
    throw refusal("user_not_found", "No account has this key yet. Register with it on the site first.");
  }
  // Another response has spent the challenge.
  if (!found.spent) throw await refuseResponse(core, { ...call, sid, now, reason: "challenge_used" });
  core.onStep({ ...call, sid, outcome: "authenticated" });
  return acceptedAnswer(core, sid, found, undoWord);
}

/** The body returned to a wallet whose response is accepted (docs/protocol.md#112-after-signing). */
export function acceptedAnswer(
  core: LoginCore,
  sid: string,
  { userAgent, isKnownBrowser }: Pick<SpentChallenge, "userAgent" | "isKnownBrowser">,
  undoWord: string,
): ResponseAnswer {
  return {
    status: "authenticated",
    browser: { name: browserName(userAgent) },
    new_browser: !isKnownBrowser,
    ...(core.offersUndo() && { undo: undoUrl(core, sid, undoWord) }),
  };
}
