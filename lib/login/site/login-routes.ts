import { plainDocument, plainPage } from "../http/plain-page.ts";
import { readOpenedCode } from "../http/read-opened-code.ts";
import { Refusal } from "../protocol/errors.ts";
import { UNDO_PATH } from "../protocol/paths.ts";
import { unixSeconds } from "../protocol/time.ts";
import { type LoginCall, loginHandlers } from "../server/handlers.ts";
import { takesHtml } from "../server/web-request.ts";
import { pageResponse, READ, type Route, type Routes, type SiteCall } from "./answer-login.ts";
import type { Site } from "./site.ts";

/** The endpoints of docs/protocol.md#3-login, and the pages that people see at those of wallets. */
export function loginRoutes(...rules: Parameters<typeof loginHandlers>): Routes {
  const handlers = loginHandlers(...rules);
  const own = { methods: READ, countedWithQuery: true } as const;
  const wallets = { methods: [...READ, "POST"], wallets: true, countedWithQuery: true } as const;
  const answers = (action: "login" | "register"): Route => ({
    ...{ ...wallets, limit: `webhook-${action}`, page: codePage },
    handle: handlers.respond(action),
    ask: handlers.ask(action),
  });
  return {
    "/api/svc/qr": { ...own, limit: "qr", handle: handlers.qr },
    "/api/svc/check": { ...own, limit: "check", handle: handlers.check },
    "/api/svc/events": { methods: ["GET"], limit: "events", handle: handlers.events },
    "/webhook/login": answers("login"),
    "/webhook/register": answers("register"),
    [UNDO_PATH]: {
      ...{ ...wallets, limit: "webhook-undo", page: undoPage },
      handle: (call) => answerUndo(call, handlers.undo),
    },
  };
}

/**
 * The page that a phone's own camera opens for a code in https form (docs/protocol.md#12-qr-payload). It explains and
 * offers a wallet; opening it signs nobody in, and says nothing about whether the code is known.
 */
function codePage({ core: { origin, now } }: Site, query: URLSearchParams): string {
  const { hostname } = origin;
  const code = readOpenedCode(Object.fromEntries(query), origin, unixSeconds(now()));
  const again = { text: `Go to ${hostname}`, href: "/login" };
  if (code.kind === "incomplete") {
    return plainPage(
      "This is a code for a wallet",
      "It is not complete. Scan the code on the page again.",
      again,
    );
  }
  if (code.kind === "expired") {
    return plainPage(
      "This code has expired",
      "A code is valid for 30 seconds. Scan the one on the page now.",
      again,
    );
  }
  const wish = code.action === "login" ? "sign in to" : "create an account at";
  return plainPage(
    "Open in your wallet",
    `Somebody wants to ${wish} ${hostname} with your key. Continue only if the code is on your own screen.`,
    { text: "Open in wallet", href: code.walletUri.replaceAll("&", "&amp;") },
  );
}

/**
 * The page at the address that takes a login back. Opening it changes nothing until the user confirms. The form posts
 * to the page's own address, which holds what takes the login back.
 */
function undoPage({ core: { origin } }: Site): string {
  return plainDocument(
    "Take the sign-in back?",
    `<p>The browser that was signed in to ${origin.hostname} by this answer of your wallet is signed out at once. You can sign in again at any time.</p>
<form method="post"><button>Sign that browser out</button></form>`,
    origin.hostname,
  );
}

/** Answers a wallet in JSON, and a browser that sent the page's form with a page. */
async function answerUndo(call: SiteCall, undo: (call: LoginCall) => Promise<Response>): Promise<Response> {
  if (!takesHtml(call.request.headers.get("accept") ?? "")) return undo(call);
  const { hostname } = call.core.origin;
  try {
    await undo(call);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "session_not_found") throw error;
    const page = plainPage(
      "This cannot be taken back any more",
      "The sign-in is over, or more than ten minutes old. Sign in, and sign out on your account’s page whatever browser you do not know.",
      { text: "Sign in", href: "/login" },
      hostname,
    );
    return pageResponse(page, error.status);
  }
  const page = plainPage(
    "That browser is signed out",
    "Nobody is signed in by that answer of your wallet any more. A key that it linked to an account, and that was confirmed, stays until it is removed on the account’s page.",
    { text: `Go to ${hostname}`, href: "/" },
    hostname,
  );
  return pageResponse(page);
}
