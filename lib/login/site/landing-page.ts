import { plainDocument, plainPage } from "../http/plain-page.ts";
import { readOpenedCode } from "../http/read-opened-code.ts";
import { unixSeconds } from "../protocol/time.ts";

/**
 * The page at which a phone's own camera lands with a code in https form (docs/protocol.md#12-qr-payload). It explains
 * and offers a wallet; opening it signs nobody in, and says nothing about whether the code is known.
 */
export function landingPage(site: { origin: URL; now: Date }, query: URLSearchParams): string {
  const { hostname } = site.origin;
  const code = readOpenedCode(Object.fromEntries(query), site.origin, unixSeconds(site.now));
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
 * The page at the address that takes a login back. A browser that opens it changes nothing before its user has been
 * asked. The form sends to the page's own address, which holds what takes the login back.
 */
export function undoPage(domain: string): string {
  return plainDocument(
    "Take the sign-in back?",
    `<p>The browser that was signed in to ${domain} by this answer of your wallet is signed out at once. You can sign in again at any time.</p>
<form method="post"><button>Sign that browser out</button></form>`,
    domain,
  );
}

export function undonePage(domain: string): string {
  return plainPage(
    "That browser is signed out",
    "Nobody is signed in by that answer of your wallet any more.",
    { text: `Go to ${domain}`, href: "/" },
    domain,
  );
}

export function nothingToUndoPage(domain: string): string {
  return plainPage(
    "This cannot be taken back any more",
    "It works for ten minutes. Sign in, and sign out on your account’s page whatever browser you do not know.",
    { text: "Sign in", href: "/login" },
    domain,
  );
}
