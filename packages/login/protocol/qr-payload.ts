/** The two forms of a QR payload (docs/protocol.md#12-qr-payload). */

/**
 * The purposes of a code other than to sign in (docs/protocol.md#36-intents): to approve a change to the account, to
 * add the answering key to it, or to recover it with that key. Wallets that do not support the parameter ignore it.
 */
export const INTENTS = ["approve", "add", "recover"] as const;

export type Intent = (typeof INTENTS)[number];

/** The intent of that name; null for any other text. */
export function parseIntent(text: string | null | undefined): Intent | null {
  return INTENTS.find((intent) => intent === text) ?? null;
}

/** True for a text in the form of a sid. Callers do not look up any other text. */
export function isSid(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** The parameters of the `svc://auth` form. */
export type QrData = {
  webhook: string;
  session: string;
  challenge: string;
  /** Unix seconds of the challenge's issue. */
  ts: number;
  /** Null in a code that signs in. */
  intent: Intent | null;
};

/** `svc://auth?webhook=…&session=…&challenge=…&ts=…[&intent=…]`, every value URL-encoded. */
export function formatSvcUri({ webhook, session, challenge, ts, intent }: QrData): string {
  return `svc://auth?${query({ webhook, session, challenge, ts: String(ts) }, intent)}`;
}

/** The https form: the webhook's own URL with `s` (session), `c` (challenge), and `intent` if there is one. */
export function formatHttpsQr({ webhook, session, challenge, intent }: Omit<QrData, "ts">): string {
  return `${webhook}?${query({ s: session, c: challenge }, intent)}`;
}

function query(parameters: Record<string, string>, intent: Intent | null): URLSearchParams {
  return new URLSearchParams(intent === null ? parameters : { ...parameters, intent });
}
