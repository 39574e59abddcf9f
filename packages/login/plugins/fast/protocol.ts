import { type Intent, parseIntent } from "../../protocol/qr-payload.ts";

/** docs/protocol.md#16-fast-tokens-and-messages */

/** Per login. A fifth challenge replaces the oldest one. */
export const FAST_CHALLENGE_LIMIT = 4;
export const FAST_CHALLENGE_LIFETIME_SECONDS = 120;

/** The specification does not define this path. */
export const FAST_WEBHOOK_PATH = "/api/fastauth";

/** Matches a random string, an underscore, and the Unix time in seconds. */
const TOKEN = /^([A-Za-z0-9]{22,64})_([1-9][0-9]{0,10})$/;

export function formatFastToken(random: string, unixSeconds: number): string {
  return `${random}_${unixSeconds}`;
}

/** Returns null if `formatFastToken` cannot have created the text. */
export function parseFastTokenTime(token: string): number | null {
  const time = TOKEN.exec(token)?.[2];
  return time === undefined ? null : Number(time);
}

/** Wallets repeat these values in their responses. */
export type FastQuery = {
  sid: string;
  c: string;
  /** The time at which the challenge was issued: Unix time in seconds, in lower-case hex. */
  t: string;
  /** Null for a code that signs in. The signature covers the intent, which is part of the URL. */
  intent: Intent | null;
};

/** Wallets sign this URL (docs/protocol.md#6-fast-login). */
export function formatFastUrl(origin: string, { sid, c, t, intent }: FastQuery): string {
  const parameters = new URLSearchParams({ sid, c, t });
  if (intent !== null) parameters.set("intent", intent);
  return `${origin}${FAST_WEBHOOK_PATH}?${parameters}`;
}

/** Returns null unless `formatFastUrl` would return exactly this text for this origin. */
export function parseFastUrl(origin: string, text: string): FastQuery | null {
  const url = text.length <= 512 ? URL.parse(text) : null;
  const parameters = url?.searchParams ?? new URLSearchParams();
  const [sid, c] = [parameters.get("sid") ?? "", parameters.get("c") ?? ""];
  const time = parseFastTokenTime(c);
  if (time === null || parseFastTokenTime(sid) === null) return null;
  // `t` repeats the time in the challenge.
  const query = { sid, c, t: time.toString(16), intent: parseIntent(parameters.get("intent")) };
  return formatFastUrl(origin, query) === text ? query : null;
}

export type FastQrAnswer = {
  /** Empty if the user is already signed in and needs no code. */
  qr: string;
  /** Empty if the user is already signed in and the request had no `sid`. */
  sid: string;
  /** 0 if there is a code to show, or 1 if the user is already signed in. */
  status: 0 | 1;
};

/** The status is 1 once the session has an address. */
export type FastCheckAnswer = { sid: string; status: 0 | 1 };
