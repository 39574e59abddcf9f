import "server-only";
import {
  type AddedKeyQuestion,
  disownAddedKey,
  findAddedKeyQuestion,
  findOpenQuestion,
} from "#lib/account/store/added-key.ts";
import { addedKeyPath, sameOriginPath } from "#lib/login/protocol/paths.ts";
import { isSid } from "#lib/login/protocol/qr-payload.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import { browserSessionIdFor, findOpenedBefore, redeemForBrowser } from "#lib/login/server/redeem-login.ts";
import { now } from "#lib/platform/clock.ts";
import { currentClaims } from "#lib/platform/current-session.ts";
import { loginCore } from "#lib/platform/login.ts";
import type { Entrance } from "./answer-entrance.ts";
import { redeemableFlow } from "./flows.ts";
import { signedInCookie } from "./signed-in-cookie.ts";

/**
 * A key that was added to an account is shown to its holder (docs/protocol.md#45-added-keys): whoever was tricked into
 * answering an add code believes that the account is their own. The login that stops is the question: bound to the
 * browser, redeemed by the decision alone, over with the login.
 */

/** What a key's holder can say. */
export const ADDED_KEY_DECISIONS = ["continue", "not-mine"] as const;
type AddedKeyDecision = (typeof ADDED_KEY_DECISIONS)[number];

/** What the question's page shows to this browser; null when there is nothing to decide. */
export async function findQuestion(sid: string, secret: string | null): Promise<AddedKeyQuestion | null> {
  if (secret === null || !isSid(sid)) return null;
  return findAddedKeyQuestion({ now: now(), sid, browserHash: hashSecret(secret) });
}

/** The page of the question that this browser has yet to answer, or null. */
export async function openQuestionPath(secret: string | null): Promise<string | null> {
  const sid = secret === null ? null : await findOpenQuestion(now(), hashSecret(secret));
  return sid === null ? null : addedKeyPath(sid, null);
}

/**
 * Takes the holder's decision, once: signs the browser in, or removes the key and signs nobody in. Asked again, with
 * the same attempt, it changes nothing and answers the same.
 */
export async function decideAddedKey(input: {
  decision: AddedKeyDecision;
  sid: string;
  attempt: string | undefined;
  callbackUrl: string | null;
  secret: string | null;
  userAgent: string | null;
  requestId: string;
}): Promise<Entrance> {
  const { decision, sid, attempt, secret, userAgent, requestId } = input;
  const core = loginCore();
  const question = await findQuestion(sid, secret);
  const flow = question?.state === "open" ? redeemableFlow(question.flow) : undefined;
  if (decision === "continue") {
    const browserSessionId = browserSessionIdFor(sid, secret, attempt);
    const currentSessionId = (await currentClaims())?.browserSessionId ?? null;
    const browser = { sid, secret, userAgent, browserSessionId, currentSessionId, requestId };
    const redeemed = flow
      ? await redeemForBrowser(core, flow, browser, true)
      : await findOpenedBefore(core, browserSessionId);
    if (redeemed !== null && redeemed !== "stopped") {
      const path = sameOriginPath(input.callbackUrl, core.afterLogin);
      return { path, setCookie: signedInCookie(core, redeemed), authenticated: true };
    }
  } else if (flow && secret !== null) {
    const login = { now: now(), sid, browserHash: hashSecret(secret), userAgent };
    if (await disownAddedKey(login)) {
      core.onStep({ requestId, flow: flow.flow, sid, outcome: "not_signed_in", reason: "not_mine" });
    }
  }
  return { path: addedKeyPath(sid, null), setCookie: null, authenticated: question !== null };
}
