import "server-only";
import type { Action } from "#lib/contracts/challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import type { QrAnswer } from "#lib/contracts/login-session.ts";
import { formatHttpsQr, formatSvcUri, type Intent } from "#lib/contracts/qr-data.ts";
import { env } from "#lib/core/env.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { tellLogin } from "#lib/core/observe/tell-login.ts";
import { hashSecret, newSecret, newSessionId } from "#lib/core/random.ts";
import { type IssuingFlow, issueChallenge } from "#lib/store/challenge-issue.ts";
import type { CodeIntent } from "../auth/code-intent.ts";
import { newChallenge } from "./new-challenge.ts";

/** Flow A: each challenge lives to its own end, and a new session follows an answered one. */
const FLOW: IssuingFlow = { name: "integrator", challengesKept: null, endsWhenAnswered: false };

/**
 * Specification 4.1, `GET /api/svc/qr`: a session and a challenge for this browser, or a new challenge for its
 * live session. The challenge before stays valid until its own end (contract 2).
 * @param input.limit the request's, counted with the query
 * @param input.sid the session to go on with; taken up only if live and bound to this browser (contract 3)
 * @param input.secret the secret in the browser's cookie, if any
 * @param input.intent what a signed-in browser asks for instead of signing in
 * @returns the answer, and the secret that the browser's cookie has to hold from now on
 */
export async function issueLogin(input: {
  requestId: string;
  limit: RequestLimit | null;
  action: Action;
  sid: string | null;
  secret: string | null;
  intent: CodeIntent | null;
}): Promise<{ answer: QrAnswer; secret: string }> {
  const { issuedAt, timestamp, challenge } = newChallenge(input.action, env().DOMAIN);
  const newBrowserSecret = newSecret();
  const { sid, keepsSecret } = await issueChallenge({
    limit: input.limit,
    now: issuedAt,
    flow: FLOW,
    challenge,
    sid: input.sid,
    newSid: newSessionId(),
    browserHash: input.secret ? hashSecret(input.secret) : null,
    newBrowserHash: hashSecret(newBrowserSecret),
    intent: input.intent,
  });
  tellLogin({ requestId: input.requestId, flow: "integrator", sid, outcome: "issued" });
  return {
    answer: {
      sid,
      challenge,
      qr: qrPayload(
        { action: input.action, intent: input.intent?.intent ?? null },
        { sid, challenge, timestamp },
      ),
      expiresAt: timestamp + CHALLENGE_LIFETIME_SECONDS,
    },
    secret: keepsSecret && input.secret ? input.secret : newBrowserSecret,
  };
}

function qrPayload(
  { action, intent }: { action: Action; intent: Intent | null },
  { sid: session, challenge, timestamp: ts }: { sid: string; challenge: string; timestamp: number },
): string {
  const webhook = `${env().APP_URL.origin}/webhook/${action}`;
  return env().SVC_QR_FORMAT === "https"
    ? formatHttpsQr({ webhook, session, challenge, intent })
    : formatSvcUri({ webhook, session, challenge, ts, intent });
}
