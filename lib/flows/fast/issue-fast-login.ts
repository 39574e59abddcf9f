import "server-only";
import { type FastQrAnswer, fastQuery, formatFastToken, formatFastUrl } from "#lib/contracts/fast.ts";
import { FAST_CHALLENGES_KEPT } from "#lib/contracts/limits.ts";
import { now, unixSeconds } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import type { RequestLimit } from "#lib/core/http/rate-limit.ts";
import { tellLogin } from "#lib/core/observe/tell-login.ts";
import { hashSecret, newNonce, newSecret } from "#lib/core/random.ts";
import { type IssuingFlow, issueChallenge } from "#lib/store/challenge-issue.ts";
import type { CodeIntent } from "../auth/code-intent.ts";

/** Flow C: the last four challenges are kept, and a session that has an address gets no new one. */
const FLOW: IssuingFlow = {
  name: "fast",
  challengesKept: FAST_CHALLENGES_KEPT,
  endsWhenAnswered: true,
};

/**
 * Specification 4.3, rule 1: a QR URL for this browser's session, or for a new one.
 * @param input.limit the request's, counted with the query
 * @param input.sid the session to go on with; taken up only if live and bound to this browser (contract 3)
 * @param input.secret the secret in the browser's cookie, if any
 * @param input.intent what a signed-in browser asks for instead of signing in
 * @returns the answer, and the secret that the browser's cookie has to hold from now on
 */
export async function issueFastLogin(input: {
  requestId: string;
  limit: RequestLimit | null;
  sid: string | null;
  secret: string | null;
  intent: CodeIntent | null;
}): Promise<{ answer: FastQrAnswer; secret: string }> {
  const issuedAt = now();
  const time = unixSeconds(issuedAt);
  const challenge = formatFastToken(newNonce(), time);
  const newBrowserSecret = newSecret();
  const { sid, keepsSecret, answered } = await issueChallenge({
    limit: input.limit,
    now: issuedAt,
    flow: FLOW,
    challenge,
    sid: input.sid,
    newSid: formatFastToken(newNonce(), time),
    browserHash: input.secret ? hashSecret(input.secret) : null,
    newBrowserHash: hashSecret(newBrowserSecret),
    intent: input.intent,
  });
  if (!answered) tellLogin({ requestId: input.requestId, flow: "fast", sid, outcome: "issued" });
  const query = fastQuery(sid, challenge, input.intent?.intent ?? null);
  if (!query) throw new Error("a challenge that is none");
  return {
    answer: answered
      ? { qr: "", sid, status: 1 }
      : { qr: formatFastUrl(env().APP_URL.origin, query), sid, status: 0 },
    secret: keepsSecret && input.secret ? input.secret : newBrowserSecret,
  };
}
