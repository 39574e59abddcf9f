import "server-only";
import { type AddedKeyDecision, addedKeyPath } from "#lib/contracts/added-key.ts";
import { sameOriginPath } from "#lib/contracts/same-origin-path.ts";
import { now } from "#lib/core/clock.ts";
import { isSid } from "#lib/core/http/require-sid.ts";
import { tellLogin } from "#lib/core/observe/tell-login.ts";
import { hashSecret } from "#lib/core/random.ts";
import {
  type AddedKeyQuestion,
  disownAddedKey,
  findAddedKeyQuestion,
  findOpenQuestion,
} from "#lib/store/added-key.ts";
import { redeemForBrowser } from "../login/redeem-login.ts";
import { presentClaims } from "./current-session.ts";
import { type Entrance, signedInCookie } from "./session-cookie.ts";
import { browserSessionIdFor, findOpenedBefore } from "./sign-in-attempt.ts";

/**
 * A key that was added to an account is shown to its holder (contract 3): whoever was tricked into answering an add
 * code believes that the account is their own. The login that stops is the question: bound to the browser, redeemed
 * by the decision alone, over with the login.
 */

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
  const question = await findQuestion(sid, secret);
  const flow = question?.state === "open" ? question.flow : null;
  if (decision === "continue") {
    const browserSessionId = browserSessionIdFor(sid, secret, attempt);
    const presentSessionId = (await presentClaims())?.browserSessionId ?? null;
    const browser = { sid, secret, userAgent, browserSessionId, presentSessionId, requestId };
    const redeemed =
      (flow && (await redeemForBrowser(flow, browser, true))) ??
      (await findOpenedBefore(browserSessionId, attempt));
    if (redeemed !== null && redeemed !== "stopped") {
      const path = sameOriginPath(input.callbackUrl, "/dashboard");
      return { path, setCookie: await signedInCookie(redeemed), authenticated: true };
    }
  } else if (flow && secret !== null) {
    const login = { now: now(), sid, browserHash: hashSecret(secret), userAgent };
    if (await disownAddedKey(login)) {
      tellLogin({ requestId, flow, sid, outcome: "not_signed_in", reason: "not_mine" });
    }
  }
  return { path: addedKeyPath(sid, null), setCookie: null, authenticated: question !== null };
}
