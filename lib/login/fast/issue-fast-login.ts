import { unixSeconds } from "../protocol/time.ts";
import type { LoginCore } from "../server/core.ts";
import { hashSecret, newNonce, newSecret } from "../server/random.ts";
import { type CodeIntent, type IssuingFlow, issueChallenge } from "../store/login-session.ts";
import {
  FAST_CHALLENGES_KEPT,
  type FastQrAnswer,
  fastQuery,
  formatFastToken,
  formatFastUrl,
} from "./protocol.ts";

/** The last four challenges are kept, and a session that has an address gets no new one. */
const FLOW: IssuingFlow = {
  name: "fast",
  challengesKept: FAST_CHALLENGES_KEPT,
  endsWhenAnswered: true,
};

/**
 * A QR URL for this browser's login, or for a new one (docs/protocol.md#61-get-apigetqrcode).
 * @param input.sid the session to continue, taken up only if it is alive and bound to this browser
 * @param input.secret the secret in the browser's cookie
 * @param input.intent what a signed-in browser asks for instead of signing in
 * @returns the answer, and the secret that the browser's cookie has to hold from now on
 */
export async function issueFastLogin(
  core: LoginCore,
  input: { requestId: string; sid: string | null; secret: string | null; intent: CodeIntent | null },
): Promise<{ answer: FastQrAnswer; secret: string }> {
  const { requestId, secret, intent } = input;
  const now = core.now();
  const time = unixSeconds(now);
  const challenge = formatFastToken(newNonce(), time);
  const newBrowserSecret = newSecret();
  const { sid, keepsSecret, answered } = await issueChallenge(core.database, {
    now,
    flow: FLOW,
    challenge,
    sid: input.sid,
    newSid: formatFastToken(newNonce(), time),
    browserHash: secret ? hashSecret(secret) : null,
    newBrowserHash: hashSecret(newBrowserSecret),
    intent,
    browser: { userAgent: null, network: null, knownBrowserHash: null },
  });
  if (!answered) core.onStep({ requestId, flow: "fast", sid, outcome: "issued" });
  const query = fastQuery(sid, challenge, intent?.intent ?? null);
  if (!query) throw new Error("a challenge that is none");
  return {
    answer: answered
      ? { qr: "", sid, status: 1 }
      : { qr: formatFastUrl(core.origin.origin, query), sid, status: 0 },
    secret: keepsSecret && secret ? secret : newBrowserSecret,
  };
}
