import { randomBytes } from "node:crypto";
import { formatCredentialName } from "../../crypto/public-key.ts";
import { type Brand, escapeHtml, renderPlainDocument, renderPlainPage } from "../../http/plain-page.ts";
import { readBodyBytes } from "../../http/read-body.ts";
import { refusal } from "../../protocol/errors.ts";
import { addedKeyPath, sameOriginPath } from "../../protocol/paths.ts";
import { isSid } from "../../protocol/qr-payload.ts";
import { createSessionCookie } from "../../server/browser-session.ts";
import { readBindingSecret } from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import { hashSecret } from "../../server/random.ts";
import {
  deriveBrowserSessionId,
  findRepeatedSession,
  type RedeemableFlow,
  redeemFromRequest,
} from "../../server/redeem-login.ts";
import { readUserAgent } from "../../server/web-request.ts";
import { countClientRequest, createAccountRoute } from "../../site/answer-login.ts";
import { resolveBrand } from "../../site/options.ts";
import type { Route, Site, SiteCall } from "../../site/plugin.ts";
import { collectFlows } from "../../site/plugin.ts";
import { signInRedirectResponse } from "../../site/sign-in.ts";
import {
  type AddedKeyQuestion,
  disownAddedKey,
  findAddedKeyQuestion,
  findOpenQuestionSid,
} from "./store/added-key.ts";

/**
 * When a key that was added to an account, or bound to it by a recovery, is first used to sign in, the key's holder
 * must consent (docs/protocol.md#45-added-keys). Someone may have tricked the holder into answering the code, so that
 * the holder takes the account for their own. The answered login is bound to the browser, and stays unredeemed until
 * the holder decides.
 */

export async function findQuestionForBrowser(
  { database, now }: LoginCore,
  sid: string,
  secret: string | null,
): Promise<AddedKeyQuestion | null> {
  if (secret === null || !isSid(sid)) return null;
  return findAddedKeyQuestion(database, { now: now(), sid, browserHash: hashSecret(secret) });
}

export async function findAddedKeyQuestionPath(
  core: LoginCore,
  secret: string | null,
): Promise<string | null> {
  const sid =
    secret === null ? null : await findOpenQuestionSid(core.database, core.now(), hashSecret(secret));
  return sid === null ? null : addedKeyPath(core, sid);
}

/** Plain HTML without scripts, so that the page works on every site. */
export function createAddedKeyRoute(site: Site): Route {
  const show = (call: SiteCall) => showQuestion(site, call);
  return createAccountRoute(site, { GET: show, HEAD: show, POST: (call) => decide(site, call) });
}

async function showQuestion({ users, options }: Site, { core, request, query }: SiteCall): Promise<Response> {
  const sid = query.sid ?? "";
  const question = await findQuestionForBrowser(
    core,
    sid,
    readBindingSecret(request.headers.get("cookie"), core.origin),
  );
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  if (question?.state !== "open")
    return new Response(decidedPage(resolveBrand(options), question), { headers });
  const account = await users.idOf(question.userId);
  return new Response(questionPage(resolveBrand(options), sid, question, account), { headers });
}

/**
 * Signs in the browser, or removes the key without signing in. If the form is submitted again with the same attempt,
 * the response is the same and nothing else changes.
 * @throws {Refusal} 400 if the form contains no decision
 */
async function decide(site: Site, call: SiteCall): Promise<Response> {
  const { core, request, requestId } = call;
  const form = new URLSearchParams(Buffer.from(await readBodyBytes(request)).toString("utf8"));
  const decision = form.get("decision");
  const sid = form.get("sid") ?? "";
  if (decision !== "continue" && decision !== "not-mine") {
    throw refusal("invalid_request", "The decision must be continue or not-mine.");
  }
  const { headers } = request;
  const secret = readBindingSecret(headers.get("cookie"), core.origin);
  const question = await findQuestionForBrowser(core, sid, secret);
  const flows = question?.state === "open" ? Object.values(collectFlows(site)) : [];
  const flow = flows.find((item) => question?.state === "open" && item.flow === question.flow);
  if (decision === "continue") {
    const attempt = form.get("attempt") ?? undefined;
    const redemption = flow
      ? await redeemFromRequest(core, flow, { sid, attempt, headers, requestId }, true)
      : await findRepeatedSession(core, deriveBrowserSessionId(sid, secret, attempt));
    if (redemption !== null && redemption !== "unconfirmed") {
      const path = sameOriginPath(form.get("callbackUrl"), core.afterLogin);
      return signInRedirectResponse({ path, setCookie: await createSessionCookie(core, redemption) });
    }
  } else if (flow && secret !== null) {
    await disown(core, { flow: flow.flow, sid, secret }, { headers, requestId });
  }
  if (question === null) await countClientRequest(site, "failed-entrance", call);
  return signInRedirectResponse({ path: addedKeyPath(core, sid), setCookie: null });
}

async function disown(
  core: LoginCore,
  { flow, sid, secret }: { flow: RedeemableFlow["flow"]; sid: string; secret: string },
  { headers, requestId }: { headers: SiteCall["request"]["headers"]; requestId: string },
): Promise<void> {
  const login = { now: core.now(), sid, browserHash: hashSecret(secret), userAgent: readUserAgent(headers) };
  if (!(await disownAddedKey(core.database, login))) return;
  core.onStep({ requestId, flow, sid, outcome: "not_signed_in", reason: "not_mine" });
}

type OpenQuestion = Extract<AddedKeyQuestion, { state: "open" }>;

function questionPage(
  brand: Brand,
  sid: string,
  { value, accountSince, addedAt, otherMethods }: OpenQuestion,
  account: number | string | null,
): string {
  const facts = [
    ["Account", account === null ? `One at ${brand.name}` : String(account)],
    ["Created", dayOf(accountSince)],
    ["Other sign-in methods", otherMethods === 0 ? "None" : String(otherMethods)],
    ["Your key", `${formatCredentialName(value)}, added ${dayOf(addedAt)}`],
  ];
  const list = facts.map(([name, fact = ""]) => `<dt>${name}</dt><dd>${escapeHtml(fact)}</dd>`).join("");
  return renderPlainDocument(
    "Is this your account?",
    `<p>Your key was added to an account from another browser. You are not signed in yet. Check the account first.</p>
<dl>${list}</dl>
<p>If you wanted your own account, choose “This is not my account”. Your key will then be removed from this one.</p>
<form method="post">
<input type="hidden" name="sid" value="${escapeHtml(sid)}">
<input type="hidden" name="attempt" value="${randomBytes(16).toString("hex")}">
<button name="decision" value="continue">Continue</button>
<button name="decision" value="not-mine" class="plain">This is not my account</button>
</form>`,
    brand,
  );
}

function decidedPage(brand: Brand, question: AddedKeyQuestion | null): string {
  return question === null
    ? renderPlainPage(
        "This link is no longer active",
        "This question was already answered, or it has expired.",
        { text: "Sign in", href: "/login" },
        brand,
      )
    : renderPlainPage(
        "It has been removed",
        "Your key can no longer sign in to that account, and you were not signed in. You can now create your own account with it.",
        { text: "Create an account", href: "/register" },
        brand,
      );
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
