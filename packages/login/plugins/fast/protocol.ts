import { type Intent, parseIntent } from "../../protocol/qr-payload.ts";

/** Fast login's session identifiers, challenges, QR URL and answers (docs/protocol.md#16-fast-tokens-and-messages). */

/** Challenges kept for a session of fast login; the fifth pushes out the first. */
export const FAST_CHALLENGES_KEPT = 4;
/** Each of them lives two minutes. */
export const FAST_CHALLENGE_LIFETIME_SECONDS = 120;

/** The webhook path that we chose. */
export const FAST_WEBHOOK_PATH = "/api/fastauth";

/** A random string, an underscore, and the Unix time in seconds. */
const TOKEN = /^([A-Za-z0-9]{22,64})_([1-9][0-9]{0,10})$/;

/** A session identifier or a challenge of fast login: `<random>_<unix>`. */
export function formatFastToken(random: string, unixSeconds: number): string {
  return `${random}_${unixSeconds}`;
}

/** The Unix seconds in a sid or challenge; null for a text that `formatFastToken` would not have made. */
export function fastTokenTime(token: string): number | null {
  const time = TOKEN.exec(token)?.[2];
  return time === undefined ? null : Number(time);
}

/** What names one wallet response: the query of the QR URL. */
export type FastQuery = {
  sid: string;
  /** The challenge. */
  c: string;
  /** Hex Unix seconds of the challenge's issue, lower case. */
  t: string;
  /** Null in a code that signs in. Being part of the URL, it is signed. */
  intent: Intent | null;
};

/**
 * The QR URL (docs/protocol.md#6-fast-login): our webhook with `sid`, `c` and `t`, and `intent` if there is one. It is
 * also the text that is signed.
 */
export function formatFastUrl(origin: string, { sid, c, t, intent }: FastQuery): string {
  const parameters = new URLSearchParams({ sid, c, t });
  if (intent !== null) parameters.set("intent", intent);
  return `${origin}${FAST_WEBHOOK_PATH}?${parameters}`;
}

/**
 * Reads a QR URL strictly: null for anything that `formatFastUrl` would not have made for this origin, by so much
 * as a letter's case or a parameter's place.
 */
export function parseFastUrl(origin: string, text: string): FastQuery | null {
  const url = text.length <= 512 ? URL.parse(text) : null;
  const sent = url?.searchParams ?? new URLSearchParams();
  const [sid, c] = [sent.get("sid") ?? "", sent.get("c") ?? ""];
  const time = fastTokenTime(c);
  if (time === null || fastTokenTime(sid) === null) return null;
  // `t` follows from the challenge, which carries its own time.
  const query = { sid, c, t: time.toString(16), intent: parseIntent(sent.get("intent")) };
  return formatFastUrl(origin, query) === text ? query : null;
}

/** `GET /api/getqrcode`. */
export type FastQrAnswer = {
  /** The QR URL; empty when the user is signed in and no new one is made. */
  qr: string;
  /** Empty when the user is signed in and named no session. */
  sid: string;
  /** 0: here is a code. 1: the user is signed in already. */
  status: 0 | 1;
};

/** `GET /api/checkfast`: 1 once the session has an address. */
export type FastCheckAnswer = { sid: string; status: 0 | 1 };
