import { type Action, parseChallenge } from "#lib/contracts/challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/contracts/limits.ts";
import { formatSvcUri } from "#lib/contracts/qr-data.ts";

/** What a code in https form comes to when a camera opens it as a page. */
export type OpenedCode =
  | { kind: "live"; action: Action; walletUri: string }
  | { kind: "expired"; action: Action }
  /** Parts are missing or changed, or the code is another site's. */
  | { kind: "incomplete" };

const SID = /^[A-Za-z0-9_-]{16,128}$/;

/**
 * Reads `s` and `c` of the https form (specification 2.2) and rebuilds the `svc://auth` form for a wallet. Says
 * nothing about whether the server knows the code: looking at it changes nothing.
 * @param now Unix seconds
 */
export function readOpenedCode(
  query: { s?: string | string[]; c?: string | string[] },
  site: { origin: string; domain: string },
  now: number,
): OpenedCode {
  const { s, c } = query;
  if (typeof s !== "string" || typeof c !== "string" || !SID.test(s)) return { kind: "incomplete" };
  const challenge = parseChallenge(c);
  if (!challenge || challenge.domain !== site.domain) return { kind: "incomplete" };
  const { action, timestamp } = challenge;
  if (now - timestamp > CHALLENGE_LIFETIME_SECONDS) return { kind: "expired", action };
  const webhook = `${site.origin}/webhook/${action}`;
  return {
    kind: "live",
    action,
    walletUri: formatSvcUri({ webhook, session: s, challenge: c, ts: timestamp }),
  };
}
