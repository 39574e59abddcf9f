import { type Action, parseChallenge } from "../protocol/challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "../protocol/numbers.ts";
import { formatSvcUri, type Intent, isSid, parseIntent } from "../protocol/qr-payload.ts";

/** The page's data about a code in https form that a camera opened. */
export type OpenedCode =
  /** `walletUri` is the code's `svc://auth` form, for a wallet. */
  | { kind: "live"; action: Action; purpose: Action | Intent; walletUri: string }
  | { kind: "expired"; action: Action }
  /** Parts are missing or changed, or the code belongs to another site. */
  | { kind: "incomplete" };

/**
 * Reads a code in https form (docs/protocol.md#12-qr-payload). Does not reveal whether the code
 * exists, and does not change it.
 * @param now Unix seconds
 */
export function readOpenedCode(
  { s: session, c, intent: requestedIntent }: Record<string, unknown>,
  site: URL,
  now: number,
): OpenedCode {
  if (typeof session !== "string" || typeof c !== "string") return { kind: "incomplete" };
  const challenge = parseChallenge(c);
  if (!isSid(session) || challenge?.domain !== site.hostname) return { kind: "incomplete" };
  const { action, timestamp: ts } = challenge;
  if (now - ts > CHALLENGE_LIFETIME_SECONDS) return { kind: "expired", action };
  const webhook = `${site.origin}/webhook/${action}`;
  const intent = typeof requestedIntent === "string" ? parseIntent(requestedIntent) : null;
  const walletUri = formatSvcUri({ webhook, session, challenge: c, ts, intent });
  return { kind: "live", action, purpose: intent ?? action, walletUri };
}
