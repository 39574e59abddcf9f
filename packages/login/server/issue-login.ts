import { type Action, formatChallenge } from "../protocol/challenge.ts";
import type { QrAnswer } from "../protocol/messages.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "../protocol/numbers.ts";
import { formatHttpsQr, formatSvcUri } from "../protocol/qr-payload.ts";
import { unixSeconds } from "../protocol/time.ts";
import type { RequestCount } from "../store/count-request.ts";
import {
  type AskingBrowser,
  type CodeIntent,
  type IssuingFlow,
  issueChallenge,
} from "../store/login-session.ts";
import type { LoginCore } from "./core.ts";
import { hashSecret, newNonce, newSecret, newSessionId } from "./random.ts";

// Each challenge lives its full time, and a new session follows an answered one.
const FLOW: IssuingFlow = { name: "login", challengesKept: null, endsWhenAnswered: false };

/** A challenge of this moment, not yet issued to any session. */
export function newChallenge(issuedAt: Date, action: Action, domain: string) {
  /** Unix seconds: the challenge's own and the QR payload's `ts`. */
  const timestamp = unixSeconds(issuedAt);
  return { timestamp, challenge: formatChallenge({ action, domain, timestamp, nonce: newNonce() }) };
}

/** A browser that asks for a code. */
type LoginRequest = {
  requestId: string;
  action: Action;
  /** The session to continue, taken up only if it is alive and bound to this browser. */
  sid: string | null;
  /** The secret in the browser's cookie. */
  secret: string | null;
  /** The code's purpose, if not to sign in. */
  intent: CodeIntent | null;
  browser: AskingBrowser;
  /** Counts the request. */
  limit: RequestCount | null;
};

/**
 * Starts a login for this browser, or renews the code of its live one (docs/protocol.md#31-get-apisvcqr).
 * @returns the answer, and the secret that the browser's cookie has to hold from now on
 */
export async function issueLogin(
  core: LoginCore,
  { requestId, action, sid: asked, secret, intent, browser, limit }: LoginRequest,
): Promise<{ answer: QrAnswer; secret: string }> {
  const now = core.now();
  const { timestamp: ts, challenge } = newChallenge(now, action, core.origin.hostname);
  const newBrowserSecret = newSecret();
  const issued = {
    now,
    flow: FLOW,
    challenge,
    sid: asked,
    newSid: newSessionId(),
    browserHash: secret ? hashSecret(secret) : null,
    newBrowserHash: hashSecret(newBrowserSecret),
    intent,
    browser,
  };
  const { sid, keepsSecret } = await issueChallenge(core.database, issued, limit);
  core.onStep({ requestId, flow: "login", sid, outcome: "issued" });
  const payload = {
    webhook: `${core.origin.origin}/webhook/${action}`,
    session: sid,
    challenge,
    ts,
    intent: intent?.intent ?? null,
  };
  const qr = core.qrFormat === "https" ? formatHttpsQr(payload) : formatSvcUri(payload);
  return {
    answer: { sid, challenge, qr, expiresAt: ts + CHALLENGE_LIFETIME_SECONDS },
    secret: keepsSecret && secret ? secret : newBrowserSecret,
  };
}
