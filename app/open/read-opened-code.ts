import { FAST_CHALLENGE_LIFETIME_SECONDS } from "#lib/fast/numbers.ts";
import { fastTokenTime, formatFastUrl, parseFastUrl } from "#lib/fast/protocol.ts";
import { type Action, parseChallenge } from "#lib/login/protocol/challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import { formatSvcUri, type Intent, parseIntent } from "#lib/login/protocol/qr-payload.ts";

/** What a code in https form comes to when a camera opens it as a page. */
export type OpenedCode =
  | { kind: "live"; purpose: Action | Intent; walletUri: string }
  /** Fast login's, whose own URL is what a wallet signs. */
  | { kind: "fast"; purpose: "login" | Intent; url: string }
  | { kind: "expired"; action: Action }
  /** Parts are missing or changed, or the code is another site's. */
  | { kind: "incomplete" };

const SID = /^[A-Za-z0-9_-]{16,128}$/;

/**
 * Reads `s` and `c` of the https form, or a fast login's `sid`, `c` and `t`, and rebuilds the `svc://auth` form for a
 * wallet. Says nothing about whether the server knows the code: looking at it changes nothing.
 * @param now Unix seconds
 */
export function readOpenedCode(
  query: Record<string, string | string[] | undefined>,
  site: { origin: string; domain: string },
  now: number,
): OpenedCode {
  const { s, c, sid } = query;
  const intent = typeof query.intent === "string" ? parseIntent(query.intent) : null;
  if (sid !== undefined) return readFastCode(query, intent, site.origin, now);
  if (typeof s !== "string" || typeof c !== "string" || !SID.test(s)) return { kind: "incomplete" };
  const challenge = parseChallenge(c);
  if (!challenge || challenge.domain !== site.domain) return { kind: "incomplete" };
  const { action, timestamp } = challenge;
  if (now - timestamp > CHALLENGE_LIFETIME_SECONDS) return { kind: "expired", action };
  const webhook = `${site.origin}/webhook/${action}`;
  return {
    kind: "live",
    purpose: intent ?? action,
    walletUri: formatSvcUri({ webhook, session: s, challenge: c, ts: timestamp, intent }),
  };
}

function readFastCode(
  { sid, c, t }: Record<string, string | string[] | undefined>,
  intent: Intent | null,
  origin: string,
  now: number,
): OpenedCode {
  if (typeof sid !== "string" || typeof c !== "string" || typeof t !== "string")
    return { kind: "incomplete" };
  const url = formatFastUrl(origin, { sid, c, t, intent });
  const issuedAt = fastTokenTime(c);
  if (parseFastUrl(origin, url) === null || issuedAt === null) return { kind: "incomplete" };
  if (now - issuedAt > FAST_CHALLENGE_LIFETIME_SECONDS) return { kind: "expired", action: "login" };
  return { kind: "fast", purpose: intent ?? "login", url };
}
