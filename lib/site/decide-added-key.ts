import { addedKeyPath, sameOriginPath } from "#lib/login/protocol/paths.ts";
import { isSid } from "#lib/login/protocol/qr-payload.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import {
  browserSessionIdFor,
  findOpenedBefore,
  type RedeemableFlow,
  redeemForBrowser,
} from "#lib/login/server/redeem-login.ts";
import { currentClaims } from "#lib/login/server/session-token.ts";
import {
  type AddedKeyQuestion,
  disownAddedKey,
  findAddedKeyQuestion,
  findOpenQuestion,
} from "#lib/login/store/added-key.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { signedInCookie } from "./signed-in-cookie.ts";

/**
 * A key that was added to an account, or bound to it by a recovery, is shown to its holder (docs/protocol.md#45-added-keys):
 * whoever was tricked into answering that code believes that the account is their own. The login that stops is the
 * question: bound to the browser, redeemed by the decision alone, over with the login.
 */

const DECISIONS = ["continue", "not-mine"] as const;

/** What a key's holder says, in a form. */
export type Decision = {
  decision: (typeof DECISIONS)[number];
  sid: string;
  attempt: string | undefined;
  callbackUrl: string | null;
};

/** Where a browser goes by a plain redirect, and the cookie that signs it in, if it was not signed in before. */
export type Entrance = { path: string; setCookie: string | null; authenticated: boolean };

/** Sends a browser on by a plain redirect, which needs no script. */
export function entranceResponse({ path, setCookie }: Entrance): Response {
  const headers = new Headers({ Location: path });
  if (setCookie) headers.set("Set-Cookie", setCookie);
  return new Response(null, { status: 303, headers });
}

/** @throws {ApiError} 400 for a form without a decision */
export function readDecision(form: URLSearchParams): Decision {
  const decision = DECISIONS.find((name) => name === form.get("decision"));
  if (!decision) throw new ApiError("invalid_request", `The decision is ${DECISIONS.join(" or ")}.`);
  const attempt = form.get("attempt") ?? undefined;
  return { decision, sid: form.get("sid") ?? "", attempt, callbackUrl: form.get("callbackUrl") };
}

/** What the question's page shows to this browser; null when there is nothing to decide. */
export async function findQuestion(
  { database, now }: LoginCore,
  sid: string,
  secret: string | null,
): Promise<AddedKeyQuestion | null> {
  if (secret === null || !isSid(sid)) return null;
  return findAddedKeyQuestion(database, { now: now(), sid, browserHash: hashSecret(secret) });
}

/** The page of the question that this browser has yet to answer, or null. */
export async function openQuestionPath(core: LoginCore, secret: string | null): Promise<string | null> {
  const sid = secret === null ? null : await findOpenQuestion(core.database, core.now(), hashSecret(secret));
  return sid === null ? null : addedKeyPath(core, sid);
}

/**
 * Takes the holder's decision, once: signs the browser in, or removes the key and signs nobody in. Asked again, with
 * the same attempt, it changes nothing and answers the same.
 * @param flows the logins that sign in here
 */
export async function decideAddedKey(
  core: LoginCore,
  flows: readonly RedeemableFlow[],
  { decision, sid, attempt, callbackUrl }: Decision,
  browser: { secret: string | null; cookies: string | null; userAgent: string | null; requestId: string },
): Promise<Entrance> {
  const { secret, userAgent, requestId } = browser;
  const question = await findQuestion(core, sid, secret);
  const flow = question?.state === "open" ? flows.find((each) => each.flow === question.flow) : undefined;
  if (decision === "continue") {
    const browserSessionId = browserSessionIdFor(sid, secret, attempt);
    const currentSessionId = (await currentClaims(core, browser.cookies))?.browserSessionId ?? null;
    const redeeming = { sid, secret, userAgent, browserSessionId, currentSessionId, requestId };
    const redeemed = flow
      ? await redeemForBrowser(core, flow, redeeming, true)
      : await findOpenedBefore(core, browserSessionId);
    if (redeemed !== null && redeemed !== "stopped") {
      const path = sameOriginPath(callbackUrl, core.afterLogin);
      return { path, setCookie: await signedInCookie(core, redeemed), authenticated: true };
    }
  } else if (flow && secret !== null) {
    const login = { now: core.now(), sid, browserHash: hashSecret(secret), userAgent };
    if (await disownAddedKey(core.database, login)) {
      core.onStep({ requestId, flow: flow.flow, sid, outcome: "not_signed_in", reason: "not_mine" });
    }
  }
  return { path: addedKeyPath(core, sid), setCookie: null, authenticated: question !== null };
}
