import { type Action, parseChallenge } from "./challenge.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "./numbers.ts";

/** The two forms of a QR payload (docs/protocol.md#12-qr-payload). */

/**
 * The purposes of a code other than signing in (docs/protocol.md#36-intents): approving a change to the account, adding
 * the answering key to it, or recovering it with that key. Wallets that do not support the parameter ignore it.
 */
export const INTENTS = ["approve", "add", "recover"] as const;

export type Intent = (typeof INTENTS)[number];

/** Returns the intent with that name, or null for any other string. */
export function parseIntent(text: string | null | undefined): Intent | null {
  return INTENTS.find((intent) => intent === text) ?? null;
}

/** Returns true for a string that has the form of a sid. Callers do not look up any other string. */
export function isSid(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** The parameters of the `svc://auth` form. */
export type QrData = {
  webhook: string;
  session: string;
  challenge: string;
  /** The time at which the challenge was issued, in Unix seconds. */
  ts: number;
  /** Null for a code that signs in. */
  intent: Intent | null;
};

/** Formats `svc://auth?webhook=…&session=…&challenge=…&ts=…[&intent=…]`, with every value URL-encoded. */
export function formatSvcUri({ webhook, session, challenge, ts, intent }: QrData): string {
  return `svc://auth?${query({ webhook, session, challenge, ts: String(ts) }, intent)}`;
}

/** Formats the https form: the webhook's own URL with `s` (session), `c` (challenge), and `intent` if there is one. */
export function formatHttpsQr({ webhook, session, challenge, intent }: Omit<QrData, "ts">): string {
  return `${webhook}?${query({ s: session, c: challenge }, intent)}`;
}

function query(parameters: Record<string, string>, intent: Intent | null): URLSearchParams {
  return new URLSearchParams(intent === null ? parameters : { ...parameters, intent });
}

/** The data for the page that a camera opens for a code in https form. */
export type OpenedCode =
  /** `walletUri` is the code's `svc://auth` form, for a wallet. */
  | { kind: "live"; action: Action; purpose: Action | Intent; walletUri: string }
  | { kind: "expired"; action: Action }
  /** Parts are missing or changed, or the code belongs to another site. */
  | { kind: "incomplete" };

/**
 * Parses a code in https form (docs/protocol.md#12-qr-payload). Does not reveal whether the code exists, and does not
 * change it.
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
