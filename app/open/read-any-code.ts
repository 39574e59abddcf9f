import {
  FAST_CHALLENGE_LIFETIME_SECONDS,
  formatFastUrl,
  parseFastTokenTime,
  parseFastUrl,
} from "#packages/login/plugins/fast/protocol.ts";
import {
  type Intent,
  type OpenedCode,
  parseIntent,
  readOpenedCode,
} from "#packages/login/protocol/qr-payload.ts";

/** For a fast login, `url` is the text that the wallet signs. */
export type AnyCode = OpenedCode | { kind: "fast"; purpose: "login" | Intent; url: string };

/**
 * Reads the parameters `s` and `c` of an https QR code, or `sid`, `c` and `t` of a fast login.
 * @param now Unix seconds
 */
export function readAnyCode(
  query: Record<string, string | string[] | undefined>,
  site: URL,
  now: number,
): AnyCode {
  return query.sid === undefined ? readOpenedCode(query, site, now) : readFastCode(query, site.origin, now);
}

function readFastCode(
  { sid, c, t, intent: requestedIntent }: Record<string, string | string[] | undefined>,
  origin: string,
  now: number,
): AnyCode {
  if (typeof sid !== "string" || typeof c !== "string" || typeof t !== "string")
    return { kind: "incomplete" };
  const intent = typeof requestedIntent === "string" ? parseIntent(requestedIntent) : null;
  const url = formatFastUrl(origin, { sid, c, t, intent });
  const issuedAt = parseFastTokenTime(c);
  if (parseFastUrl(origin, url) === null || issuedAt === null) return { kind: "incomplete" };
  if (now - issuedAt > FAST_CHALLENGE_LIFETIME_SECONDS) return { kind: "expired", action: "login" };
  return { kind: "fast", purpose: intent ?? "login", url };
}
