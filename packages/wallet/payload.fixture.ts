import { expect } from "vitest";

/** In the server's format (docs/protocol.md#12-qr-payload). */
export const NOW = 1_700_000_000;
export const NONCE = "0123456789abcdefghijABCDEFGHIJxy";
export const PHRASE = `${"abandon ".repeat(11)}about`;
export const FAST_URL = "https://example.com/api/fastauth?sid=abc_1700000000&c=def_1700000000&t=6553f100";

export type PayloadParts = { webhook: string; session: string; challenge: string; ts: string };

export function createChallengeText(
  action = "login",
  domain = "example.com",
  timestamp: number | string = NOW,
): string {
  return `svc:${action}:${domain}:${timestamp}:${NONCE}`;
}

export const PAYLOAD_PARTS: PayloadParts = {
  webhook: "https://example.com/webhook/login",
  session: "Zx3-session_1",
  challenge: createChallengeText(),
  ts: String(NOW),
};

export function formatSvcPayload(parts: Partial<PayloadParts> = {}): string {
  return `svc://auth?${new URLSearchParams({ ...PAYLOAD_PARTS, ...parts })}`;
}

export function formatHttpsPayload(
  webhook = PAYLOAD_PARTS.webhook,
  s = PAYLOAD_PARTS.session,
  c = PAYLOAD_PARTS.challenge,
): string {
  return `${webhook}?${new URLSearchParams({ s, c })}`;
}

/** Only errors that the wallet itself has thrown. */
export const expectedWalletError = (code: string) => expect.objectContaining({ name: "WalletError", code });
