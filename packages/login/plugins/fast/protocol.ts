import { type Intent, parseIntent } from "../../protocol/qr-payload.ts";

/**
 * Fast login's session identifiers, challenges, QR URL and responses (docs/protocol.md#16-fast-tokens-and-messages).
 */

/** The number of challenges that a fast login keeps. A fifth one replaces the oldest. */
export const FAST_CHALLENGE_LIMIT = 4;
/** How long each challenge of a fast login is valid. */
export const FAST_CHALLENGE_LIFETIME_SECONDS = 120;

/** The path of the webhook, which the specification does not define. */
export const FAST_WEBHOOK_PATH = "/api/fastauth";

/** A random string, an underscore, and the Unix time in seconds. */
const TOKEN = /^([A-Za-z0-9]{22,64})_([1-9][0-9]{0,10})$/;

/** Formats a fast-login session identifier or challenge: `<random>_<unix>`. */
export function formatFastToken(random: string, unixSeconds: number): string {
  return `${random}_${unixSeconds}`;
}

/** Returns the Unix seconds in a sid or challenge, or null for a string that `formatFastToken` does not produce. */
export function parseFastTokenTime(token: string): number | null {
  const time = TOKEN.exec(token)?.[2];
  return time === undefined ? null : Number(time);
}

/** The query of the QR URL, which identifies a wallet response. */
export type FastQuery = {
  sid: string;
  /** The challenge. */
  c: string;
  /** The time at which the challenge was issued, in Unix seconds, as lower-case hex. */
  t: string;
  /** Null for a code that signs in. The signature covers the intent, because the intent is part of the URL. */
  intent: Intent | null;
};

/**
 * Formats the QR URL (docs/protocol.md#6-fast-login): our webhook with `sid`, `c` and `t`, and `intent` if there is
 * one. Wallets also sign this text.
 */
export function formatFastUrl(origin: string, { sid, c, t, intent }: FastQuery): string {
  const parameters = new URLSearchParams({ sid, c, t });
  if (intent !== null) parameters.set("intent", intent);
  return `${origin}${FAST_WEBHOOK_PATH}?${parameters}`;
}

/**
 * Parses a QR URL strictly. Returns null for anything that `formatFastUrl` does not produce for this origin, including
 * a different letter case or order of parameters.
 */
export function parseFastUrl(origin: string, text: string): FastQuery | null {
  const url = text.length <= 512 ? URL.parse(text) : null;
  const parameters = url?.searchParams ?? new URLSearchParams();
  const [sid, c] = [parameters.get("sid") ?? "", parameters.get("c") ?? ""];
  const time = parseFastTokenTime(c);
  if (time === null || parseFastTokenTime(sid) === null) return null;
  // `t` is derived from the challenge, which contains its time.
  const query = { sid, c, t: time.toString(16), intent: parseIntent(parameters.get("intent")) };
  return formatFastUrl(origin, query) === text ? query : null;
}

/** `GET /api/getqrcode`. */
export type FastQrAnswer = {
  /** The QR URL. Empty if the user is signed in, so that no new one is needed. */
  qr: string;
  /** Empty if the user is signed in and the request had no `sid`. */
  sid: string;
  /** 0 if there is a code to show, 1 if the user is already signed in. */
  status: 0 | 1;
};

/** `GET /api/checkfast`: 1 once the session has an address. */
export type FastCheckAnswer = { sid: string; status: 0 | 1 };
