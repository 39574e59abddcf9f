/** Payloads for the tests, as the server formats them (docs/protocol.md#12-qr-payload). */
export const NOW = 1_700_000_000;
export const NONCE = "0123456789abcdefghijABCDEFGHIJxy";

export type Parts = { webhook: string; session: string; challenge: string; ts: string };

export function challengeText(
  action = "login",
  domain = "example.com",
  timestamp: number | string = NOW,
): string {
  return `svc:${action}:${domain}:${timestamp}:${NONCE}`;
}

export const PARTS: Parts = {
  webhook: "https://example.com/webhook/login",
  session: "Zx3-session_1",
  challenge: challengeText(),
  ts: String(NOW),
};

export function svcForm(parts: Partial<Parts> = {}): string {
  return `svc://auth?${new URLSearchParams({ ...PARTS, ...parts })}`;
}

export function httpsForm(webhook = PARTS.webhook, s = PARTS.session, c = PARTS.challenge): string {
  return `${webhook}?${new URLSearchParams({ s, c })}`;
}
