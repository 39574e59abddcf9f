import { isAction, parseChallenge } from "#lib/login/protocol/challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import { formatSvcUri } from "#lib/login/protocol/qr-payload.ts";
import { unixSeconds } from "#lib/login/protocol/time.ts";
import { plainPage } from "#lib/platform/http/plain-page.ts";

const SID = /^[A-Za-z0-9_-]{16,128}$/;

/**
 * The page at which a phone's own camera lands with a code in https form (docs/protocol.md#12-qr-payload). It explains
 * and offers a wallet; opening it signs nobody in, and says nothing about whether the code is known.
 */
export function landingPage(site: { origin: URL; now: Date }, query: URLSearchParams): string {
  const { hostname, origin } = site.origin;
  const [session, text] = [query.get("s") ?? "", query.get("c") ?? ""];
  const challenge = parseChallenge(text);
  const again = { text: `Go to ${hostname}`, href: "/login" };
  if (!challenge || challenge.domain !== hostname || !SID.test(session) || !isAction(challenge.action)) {
    return plainPage(
      "This is a code for a wallet",
      "It is not complete. Scan the code on the page again.",
      again,
    );
  }
  const { action, timestamp: ts } = challenge;
  if (unixSeconds(site.now) - ts > CHALLENGE_LIFETIME_SECONDS) {
    return plainPage(
      "This code has expired",
      "A code lives 30 seconds. Scan the one on the page now.",
      again,
    );
  }
  const webhook = `${origin}/webhook/${action}`;
  const uri = formatSvcUri({ webhook, session, challenge: text, ts, intent: null });
  const wish = action === "login" ? "sign in to" : "create an account at";
  return plainPage(
    "Open in your wallet",
    `Somebody wants to ${wish} ${hostname} with your key. Go on only if the code is on a screen of yours.`,
    { text: "Open in wallet", href: uri.replaceAll("&", "&amp;") },
  );
}
