import { type Challenge, readChallenge } from "./challenge.ts";
import { isHostName } from "./host-name.ts";
import { WalletError } from "./wallet-error.ts";

/** What the site wants instead of a login, for an account that is open in the browser; others are not known here. */
export type Intent = "approve" | "add" | "recover";

/** A QR code of login or hosted login, in either form (docs/protocol.md#12-qr-payload). */
export type ChallengePayload = {
  kind: "challenge";
  form: "svc" | "https";
  /** Where the answer goes, as `fetch` will see it. */
  webhook: string;
  /** The session identifier. */
  session: string;
  challenge: Challenge;
  /** Null for a code that signs in or registers. */
  intent: Intent | null;
};

/** A QR code of fast login (docs/protocol.md#6-fast-login): `?sid&c&t` on the service's webhook. */
export type FastPayload = {
  kind: "fast";
  /** The URL exactly as scanned: it is the message that fast login signs. */
  url: string;
  sid: string;
  /** Fast login's challenge, `c`. */
  token: string;
  /** Unix seconds, from the hex parameter `t`. */
  issuedAt: number;
  /** Null for a code that signs in. */
  intent: Intent | null;
};

export type Payload = ChallengePayload | FastPayload;

/** Longest payload that is read; a real one has about 300 characters. */
export const MAX_PAYLOAD_CHARACTERS = 4096;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const SVC_PREFIX = /^(?:web\+)?svc:\/\/auth\?/;
const WEBHOOK = /^https?:\/\/([A-Za-z0-9.-]+|\[::1\])(?::[0-9]{1,5})?(?=[/?]|$)[^#\\]*$/;
const FAST_TOKEN = /^[A-Za-z0-9_-]{1,256}$/;
const HEX_TIME = /^[0-9a-fA-F]{1,10}$/;

/**
 * Reads the text of a QR code or link: `svc://auth?webhook&session&challenge&ts` (also with the prefix
 * `web+`), the https form `?s&c`, or fast login's URL `?sid&c&t`. Parses only: `checkPayload` decides
 * whether the wallet may answer.
 *
 * Strict on purpose: a payload is a URI in visible ASCII with one value for each parameter. Whatever
 * could look like one thing and be another (control and bidi characters, backslashes, user names in
 * addresses, numeric hosts in disguise) is refused.
 *
 * @throws WalletError `payload_*`, `webhook_malformed`, `challenge_malformed` or `timestamp_mismatch`
 */
export function readPayload(scanned: string): Payload {
  if (scanned.length > MAX_PAYLOAD_CHARACTERS) {
    throw new WalletError(
      "payload_too_long",
      "This code is too long to be a login code. Scan the one on the login page.",
    );
  }
  const text = scanned.trim();
  if (!VISIBLE_ASCII.test(text) || text.includes("\\")) {
    throw new WalletError(
      "payload_characters",
      "This code holds characters that do not belong in a login code. Scan the one on the login page.",
    );
  }
  const prefix = SVC_PREFIX.exec(text);
  if (prefix) return readSvcForm(text.slice(prefix[0].length));
  const query = text.indexOf("?");
  if (/^https?:\/\//.test(text) && query > 0) return readHttpsForm(text, query);
  throw unknownPayload();
}

function readSvcForm(query: string): ChallengePayload {
  const values = readQuery(query);
  const challenge = readChallenge(required(values, "challenge"));
  const ts = values.get("ts");
  if (ts !== undefined && ts !== String(challenge.issuedAt)) {
    throw new WalletError(
      "timestamp_mismatch",
      "This code names two different times, so it may have been tampered with. Ask the site for a new code.",
    );
  }
  const webhook = readWebhook(required(values, "webhook"));
  const session = required(values, "session");
  return {
    kind: "challenge",
    form: "svc",
    webhook,
    session,
    challenge,
    intent: readIntent(values, challenge),
  };
}

function readHttpsForm(text: string, queryAt: number): Payload {
  const url = readWebhook(text);
  const values = readQuery(text.slice(queryAt + 1));
  const isFast = values.has("sid") && values.has("t");
  const isChallenge = values.has("s");
  if (isFast === isChallenge) throw unknownPayload();
  if (isFast) return readFast(text, values);
  const challenge = readChallenge(required(values, "c"));
  return {
    kind: "challenge",
    form: "https",
    webhook: withoutLoginParameters(url),
    session: required(values, "s"),
    challenge,
    intent: readIntent(values, challenge),
  };
}

function readFast(url: string, values: Map<string, string>): FastPayload {
  const [sid, token, time] = [required(values, "sid"), required(values, "c"), required(values, "t")];
  if (!FAST_TOKEN.test(sid) || !FAST_TOKEN.test(token) || !HEX_TIME.test(time)) throw badParameters();
  return { kind: "fast", url, sid, token, issuedAt: Number.parseInt(time, 16), intent: readIntent(values) };
}

/** An intent that this wallet does not know is ignored, like any unknown parameter. */
function readIntent(values: Map<string, string>, challenge?: Challenge): Intent | null {
  const intent = values.get("intent");
  if (intent !== "approve" && intent !== "add" && intent !== "recover") return null;
  // A new account must not pass for a change to one that is there.
  if (intent === "approve" && challenge?.action === "register") throw badParameters();
  return intent;
}

/** The address to post to: absolute http or https, no user name, no fragment, host as written. */
function readWebhook(text: string): string {
  const host = WEBHOOK.exec(text)?.[1]?.toLowerCase();
  const url = URL.canParse(text) ? new URL(text) : null;
  // The parser turns `0x7f.1` and `%6c` into other hosts: what was written must be what is dialled.
  const isPlain = host !== undefined && (isHostName(host) || host === "[::1]");
  if (!isPlain || url?.hostname !== host) {
    throw new WalletError(
      "webhook_malformed",
      "The address that the answer would go to is not a plain web address. Do not use this code.",
    );
  }
  return url.href;
}

/** The https form's `s`, `c` and `intent` are for the wallet; any other parameter belongs to the webhook. */
function withoutLoginParameters(href: string): string {
  const url = new URL(href);
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !/^(?:s|c|intent)=/.test(pair));
  url.search = kept.join("&");
  return url.href;
}

function readQuery(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const [name = "", ...rest] = pair.split("=");
    if (!/^[A-Za-z0-9_.~-]+$/.test(name) || values.has(name)) throw badParameters();
    values.set(name, decode(rest.join("=")));
  }
  return values;
}

function decode(text: string): string {
  let value: string;
  try {
    value = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw badParameters();
  }
  if (value !== "" && !VISIBLE_ASCII.test(value)) throw badParameters();
  return value;
}

function required(values: Map<string, string>, name: string): string {
  const value = values.get(name);
  if (!value) throw badParameters();
  return value;
}

function unknownPayload(): WalletError {
  return new WalletError("payload_unknown", "This is not a login code. Scan the one on the login page.");
}

function badParameters(): WalletError {
  return new WalletError(
    "payload_parameters",
    "Something is missing, doubled or garbled in this code. Ask the site for a new one.",
  );
}
