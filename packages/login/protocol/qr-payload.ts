import { type Action, parseChallenge } from "./challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "./numbers.ts";

/** docs/protocol.md#12-qr-payload */

/**
 * Approving a change to the account, adding the answering key to it, or recovering it with that key
 * (docs/protocol.md#36-intents). Wallets that do not support the `intent` parameter ignore it.
 */
export const INTENTS = ["approve", "add", "recover"] as const;

export type Intent = (typeof INTENTS)[number];

export function parseIntent(text: string | null | undefined): Intent | null {
  return INTENTS.find((intent) => intent === text) ?? null;
}

/** Other strings need not be looked up. */
export function isSid(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

export type QrData = {
  webhook: string;
  session: string;
  challenge: string;
  /** In Unix seconds. */
  ts: number;
  /** Null for a code that signs in. */
  intent: Intent | null;
};

export function formatSvcUri({ webhook, session, challenge, ts, intent }: QrData): string {
  return `svc://auth?${query({ webhook, session, challenge, ts: String(ts) }, intent)}`;
}

/** `s` is the session, and `c` the challenge. */
export function formatHttpsQr({ webhook, session, challenge, intent }: Omit<QrData, "ts">): string {
  return `${webhook}?${query({ s: session, c: challenge }, intent)}`;
}

function query(parameters: Record<string, string>, intent: Intent | null): URLSearchParams {
  return new URLSearchParams(intent === null ? parameters : { ...parameters, intent });
}

/** In https form, as shown on the page that a phone's camera opens. */
export type OpenedCode =
  /** `walletUri` is the same code in `svc://auth` form, for a wallet. */
  | { kind: "live"; action: Action; purpose: Action | Intent; walletUri: string }
  | { kind: "expired"; action: Action }
  /** Also an altered code, or one for another site. */
  | { kind: "incomplete" };

/**
 * Does not look up the code (docs/protocol.md#12-qr-payload), so the result does not reveal whether the code exists.
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
