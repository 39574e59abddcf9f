/** The two forms of a QR payload (specification 2.2). */

/** What the `svc://auth` form carries. */
export type QrData = {
  /** Where the wallet posts its answer. */
  webhook: string;
  /** The session identifier. */
  session: string;
  /** The challenge string. */
  challenge: string;
  /** Unix seconds of the challenge's issue. */
  ts: number;
};

/** `svc://auth?webhook=…&session=…&challenge=…&ts=…`, every value URL-encoded. */
export function formatSvcUri({ webhook, session, challenge, ts }: QrData): string {
  return `svc://auth?${new URLSearchParams({ webhook, session, challenge, ts: String(ts) })}`;
}

/** The https form: the webhook's own URL with `s` (session) and `c` (challenge). */
export function formatHttpsQr(webhook: string, session: string, challenge: string): string {
  return `${webhook}?${new URLSearchParams({ s: session, c: challenge })}`;
}
