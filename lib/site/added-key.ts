import { randomBytes } from "node:crypto";
import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { isSecure } from "#lib/login/server/core.ts";
import type { RedeemableFlow } from "#lib/login/server/redeem-login.ts";
import { userAgentOf } from "#lib/login/server/sent-headers.ts";
import type { AddedKeyQuestion } from "#lib/login/store/added-key.ts";
import { credentialName } from "#lib/names/credential-name.ts";
import { plainDocument, plainPage } from "#lib/platform/http/plain-page.ts";
import { readBytes } from "#lib/platform/http/read-json.ts";
import { accountRoute } from "./account-route.ts";
import { limitOf, type Route, type SiteCall } from "./answer-login.ts";
import { decideAddedKey, entranceResponse, findQuestion, readDecision } from "./decide-added-key.ts";
import type { Site } from "./site.ts";

/**
 * The question to the holder of a key that a recovery has bound (docs/protocol.md#45-added-keys), on another site: a
 * plain page without scripts, so that every site has it.
 */
export function addedKeyRoute(site: Site, flows: readonly RedeemableFlow[]): Route {
  return accountRoute(site, ["GET", "HEAD", "POST"], (call) =>
    call.request.method === "POST" ? decide(site, flows, call) : showQuestion(site, call),
  );
}

async function showQuestion({ users }: Site, { core, request, query }: SiteCall): Promise<Response> {
  const sid = query.sid ?? "";
  const question = await findQuestion(
    core,
    sid,
    readBindingSecret(request.headers.get("cookie"), isSecure(core)),
  );
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  if (question?.state !== "open") return new Response(decidedPage(question), { headers });
  const account = await users.idOf(question.userId);
  return new Response(questionPage(core.origin.hostname, sid, question, account), { headers });
}

async function decide(
  site: Site,
  flows: readonly RedeemableFlow[],
  { core, request, requestId }: SiteCall,
): Promise<Response> {
  const cookies = request.headers.get("cookie");
  const form = new URLSearchParams(Buffer.from(await readBytes(request)).toString("utf8"));
  const entrance = await decideAddedKey(core, flows, readDecision(form), {
    ...{ cookies, requestId, secret: readBindingSecret(cookies, isSecure(core)) },
    userAgent: userAgentOf(request.headers),
  });
  if (!entrance.authenticated) await limitOf(site, "failed-entrance", request)?.take();
  return entranceResponse(entrance);
}

type Open = Extract<AddedKeyQuestion, { state: "open" }>;

function questionPage(
  domain: string,
  sid: string,
  { value, accountSince, addedAt, otherWays }: Open,
  account: number | string | null,
): string {
  const facts = [
    ["Account", account === null ? `One at ${domain}` : String(account)],
    ["Exists since", dayOf(accountSince)],
    ["Other ways in", otherWays === 0 ? "None" : String(otherWays)],
    ["Your key", `${credentialName(value)}, added ${dayOf(addedAt)}`],
  ];
  const list = facts.map(([name, fact = ""]) => `<dt>${name}</dt><dd>${escapeHtml(fact)}</dd>`).join("");
  return plainDocument(
    "Is this your account?",
    `<p>Your key was added to an account from another browser. You are not signed in yet: look at the account first.</p>
<dl>${list}</dl>
<p>If you wanted an account of your own, say that this one is not yours. Your key is then removed from it.</p>
<form method="post">
<input type="hidden" name="sid" value="${escapeHtml(sid)}">
<input type="hidden" name="attempt" value="${randomBytes(16).toString("hex")}">
<button name="decision" value="continue">Continue</button>
<button name="decision" value="not-mine" class="plain">This is not my account</button>
</form>`,
    domain,
  );
}

function decidedPage(question: AddedKeyQuestion | null): string {
  return question === null
    ? plainPage("There is nothing to decide", "The question was answered already, or it is over.", {
        text: "Sign in",
        href: "/login",
      })
    : plainPage(
        "It is removed",
        "Your key no longer opens that account, and nobody was signed in. You can create an account of your own with it.",
        { text: "Create an account", href: "/register" },
      );
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
