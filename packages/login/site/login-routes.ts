import { jsonResponse } from "../http/call.ts";
import { renderPlainDocument, renderPlainPage } from "../http/plain-page.ts";
import { type Action, isAction } from "../protocol/challenge.ts";
import { Refusal, refusal } from "../protocol/errors.ts";
import { WalletResponse } from "../protocol/messages.ts";
import { unixSeconds } from "../protocol/numbers.ts";
import { UNDO_PATH } from "../protocol/paths.ts";
import { readOpenedCode } from "../protocol/qr-payload.ts";
import { acceptResponse } from "../server/accept-response.ts";
import { checkLogin } from "../server/check-login.ts";
import {
  createBindingCookie,
  createKnownBrowserCookie,
  hasKnownBrowserCookie,
  readBindingSecret,
  readKnownBrowserToken,
} from "../server/cookies.ts";
import { computeNetworkTag, describeCode } from "../server/describe-code.ts";
import { issueLogin } from "../server/issue-login.ts";
import { generateRandomToken, hashSecret } from "../server/random.ts";
import type { UndoneLogin } from "../server/undo-login.ts";
import { undoLogin } from "../server/undo-login.ts";
import { acceptsHtml, readTruncatedHeader, readUserAgent, requireSid } from "../server/web-request.ts";
import { pageResponse, READ_METHODS } from "./answer-login.ts";
import { resolveBrand } from "./options.ts";
import type { Plugin, Route, Routes, Site, SiteCall } from "./plugin.ts";
import { readCodeIntent } from "./plugin.ts";
import { endSiteSession, signIn } from "./sign-in.ts";

/** The site's own endpoints (docs/protocol.md#3-login). Every site uses this plugin. */
export const siteLogin: Plugin = {
  name: "login",
  routes: loginRoutes,
  flows: ({ users }) => ({ svc: users.flow }),
};

/** Includes the pages that browsers see at the webhooks' URLs. */
function loginRoutes(site: Site): Routes {
  const browsers = { methods: READ_METHODS, countedByHandler: true } as const;
  const wallets = { methods: [...READ_METHODS, "POST"], wallets: true } as const;
  const webhook = (action: Action): Route => ({
    ...wallets,
    limit: `webhook-${action}`,
    countedByHandler: true,
    page: codePage,
    handle: async ({ core, requestId, limit, body }) =>
      jsonResponse(200, await acceptResponse(core, action, await body(WalletResponse), { requestId, limit })),
    // Wallets send this request before they show a code to their user.
    ask: async ({ core, client, limit, query: { s: sid = "", c: challenge = "" } }) =>
      jsonResponse(200, await describeCode(core, action, { sid, challenge, client, limit })),
  });
  const routes: Routes = {
    "/api/svc/qr": { ...browsers, limit: "qr", handle: (call) => issue(site, call) },
    "/api/svc/check": {
      ...browsers,
      limit: "check",
      handle: async ({ core, query, limit }) =>
        jsonResponse(200, await checkLogin(core, requireSid(query), limit)),
    },
    "/webhook/login": webhook("login"),
    "/webhook/register": webhook("register"),
    [UNDO_PATH]: {
      ...wallets,
      limit: "webhook-undo",
      page: undoPage,
      handle: (call) => answerUndo(site, call),
    },
  };
  // A site with its own users might use another library's sessions, or store additional data in NextAuth's sessions.
  if (site.findOrCreateUser || !site.core.tokens) return routes;
  const handle: Route["handle"] = (call) => signIn(site, site.users.flow, call);
  return { ...routes, "/api/svc/sign-in": { methods: ["POST"], handle } };
}

async function issue(
  site: Site,
  { core, request: { headers }, requestId, client, limit, query }: SiteCall,
): Promise<Response> {
  const action = query.mode ?? "login";
  if (!isAction(action)) throw refusal("invalid_request", 'The mode must be "login" or "register".');
  const requestedIntent = query.intent;
  const intent =
    requestedIntent === undefined ? null : await readCodeIntent(site, requestedIntent, { action, headers });
  const { origin } = core;
  const cookies = headers.get("cookie");
  const secret = readBindingSecret(cookies, origin);
  const knownBrowser = readKnownBrowserToken(cookies, origin);
  const token = knownBrowser ?? generateRandomToken();
  const browser = {
    userAgent: readUserAgent(headers),
    network: computeNetworkTag(core.secrets[0], client),
    knownBrowserHash: hashSecret(token),
  };
  const sid = query.sid ?? null;
  const issuedCode = await issueLogin(core, { requestId, action, sid, secret, intent, browser, limit });
  const answer = jsonResponse(200, issuedCode.answer, {
    "Set-Cookie": createBindingCookie(issuedCode.secret, origin),
  });
  if (knownBrowser === null || !hasKnownBrowserCookie(cookies, origin)) {
    answer.headers.append("Set-Cookie", createKnownBrowserCookie(token, origin));
  }
  return answer;
}

/**
 * For a code in https form (docs/protocol.md#12-qr-payload). Opening the page neither signs in anyone nor reveals
 * whether the code exists.
 */
function codePage({ core: { origin, now }, options }: Site, query: URLSearchParams): string {
  const brand = resolveBrand(options);
  const { hostname } = origin;
  const code = readOpenedCode(Object.fromEntries(query), origin, unixSeconds(now()));
  const siteLink = { text: `Go to ${hostname}`, href: "/login" };
  if (code.kind === "incomplete") {
    return renderPlainPage(
      "Open this code in a wallet",
      "It is not complete. Scan the code on the page again.",
      siteLink,
      brand,
    );
  }
  if (code.kind === "expired") {
    return renderPlainPage(
      "This code has expired",
      "A code is valid for 30 seconds. Scan the one that is on the page now.",
      siteLink,
      brand,
    );
  }
  const purpose = code.action === "login" ? "sign in to" : "create an account at";
  return renderPlainPage(
    "Open in your wallet",
    `Somebody wants to ${purpose} ${hostname} with your key. Continue only if the code is on your own screen.`,
    { text: "Open in wallet", href: code.walletUri.replaceAll("&", "&amp;") },
    brand,
  );
}

/**
 * The login is undone only when the user confirms. The form posts to the page's own URL, which contains the undo
 * secret.
 */
function undoPage({ options }: Site): string {
  return renderPlainDocument(
    "Sign out the browser you approved?",
    `<p>The browser that was signed in to ${options.origin.hostname} with your wallet’s answer will be signed out immediately. You can sign in again at any time.</p>
<form method="post"><button>Undo: sign it out</button><a class="plain" href="/">Keep it signed in</a></form>`,
    resolveBrand(options),
  );
}

/** A browser that submitted the form gets a page, and a wallet JSON. */
async function answerUndo(site: Site, { core, request, requestId, query }: SiteCall): Promise<Response> {
  const { s: sid = "", t: secret = "" } = query;
  const undo = () =>
    undoLogin(
      core,
      { sid, word: secret },
      { requestId, otherFlows: site.plugins.flatMap((plugin) => plugin.undo ?? []), onUndone },
    );
  const onUndone = async (login: UndoneLogin & { sid: string }) => {
    for (const plugin of site.plugins) await plugin.onUndone?.(site, login);
    await endSiteSession(site, login);
  };
  if (!acceptsHtml(readTruncatedHeader(request.headers, "accept"))) return jsonResponse(200, await undo());
  const brand = resolveBrand(site.options);
  try {
    await undo();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "session_not_found") throw error;
    const page = renderPlainPage(
      "This can no longer be undone",
      "The sign-in has ended, or it is more than ten minutes old. Sign in, and sign out every browser that you do not recognise on your account’s page.",
      { text: "Sign in", href: "/login" },
      brand,
    );
    return pageResponse(page, error.status);
  }
  const page = renderPlainPage(
    "That browser is signed out",
    "The sign-in that you approved has ended. If it added a key to an account, check the sign-in methods on that account’s page.",
    { text: `Go to ${core.origin.hostname}`, href: "/" },
    brand,
  );
  return pageResponse(page);
}
