import type { Purpose } from "./purpose.ts";
import { isHostName, parseUrl } from "./url.ts";
import { WalletError } from "./wallet-error.ts";

export const CHALLENGE_LIFETIME_SECONDS = 30;

export const FAST_CHALLENGE_LIFETIME_SECONDS = 120;

export type Action = "login" | "register";

/** Beyond signing in and registering. Wallets ignore unknown intents. */
export type Intent = "approve" | "add" | "recover";

/** The content of a QR code (docs/protocol.md#12-qr-payload). */
export type Payload = {
  /** `fast` for fast login (docs/protocol.md#6-fast-login). */
  kind: "challenge" | "fast";
  /** In lower-case ASCII: the challenge's domain, or the host of the code's own URL in fast login. */
  domain: string;
  /** As `fetch` normalises it. In fast login, exactly as scanned. */
  webhook: string;
  session: string;
  /** `svc:{action}:{domain}:{timestamp}:{nonce}`, or in fast login the parameter `c`. */
  challenge: string;
  /** The challenge, or in fast login the code's URL. */
  signed: string;
  action: Action;
  /** Null for a code that signs in or registers. */
  intent: Intent | null;
  /** Shown to the user, but not signed. */
  purpose: Purpose;
  /** Unix seconds. */
  issuedAt: number;
  endsAt: number;
};

/** A typical payload has about 300 characters. */
export const MAX_PAYLOAD_CHARACTERS = 4096;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const SVC_PREFIX = /^(?:web\+)?svc:\/\/auth\?/;
const WEBHOOK = /^https?:\/\/([A-Za-z0-9.-]+|\[::1\])(?::[0-9]{1,5})?(?=[/?]|$)[^#\\]*$/;
const CHALLENGE = /^svc:(login|register):([a-z0-9.-]{1,253}):(0|[1-9][0-9]{0,11}):[A-Za-z0-9]{32}$/;
const FAST_TOKEN = /^[A-Za-z0-9_-]{1,256}$/;
const HEX_TIME = /^[0-9a-fA-F]{1,10}$/;

/**
 * Reads `svc://auth?webhook&session&challenge&ts` (also with the prefix `web+`), the HTTPS form `?s&c`, or fast login's
 * URL `?sid&c&t`. This function only parses: `checkPayload` decides whether the wallet may answer. Parsing is strict on
 * purpose. A payload is a URI in visible ASCII with one value for each parameter. Anything that could look different
 * from what it is (control and bidi characters, backslashes, user names in URLs, numeric hosts in disguise) is refused.
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
      "This code contains characters that do not belong in a login code. Scan the one on the login page.",
    );
  }
  const prefix = SVC_PREFIX.exec(text);
  if (prefix) return readSvcForm(text.slice(prefix[0].length));
  const query = text.indexOf("?");
  if (/^https?:\/\//.test(text) && query > 0) return readHttpsForm(text, query);
  throw unknownPayload();
}

function readSvcForm(query: string): Payload {
  const values = readQuery(query);
  const challenge = readChallenge(required(values, "challenge"));
  const ts = values.get("ts");
  if (ts !== undefined && ts !== String(challenge.issuedAt)) {
    throw new WalletError(
      "timestamp_mismatch",
      "This code names two different times, so it may have been tampered with. Ask the site for a new code.",
    );
  }
  const webhook = readWebhook(required(values, "webhook")).href;
  const session = required(values, "session");
  return { ...challenge, webhook, session, ...readIntent(values, challenge.action) };
}

function readHttpsForm(text: string, queryAt: number): Payload {
  const url = readWebhook(text);
  const values = readQuery(text.slice(queryAt + 1));
  const isFast = values.has("sid") && values.has("t");
  const isChallenge = values.has("s");
  if (isFast === isChallenge) throw unknownPayload();
  if (isFast) return readFast(text, url.hostname, values);
  const challenge = readChallenge(required(values, "c"));
  const webhook = withoutLoginParameters(url);
  const session = required(values, "s");
  return { ...challenge, webhook, session, ...readIntent(values, challenge.action) };
}

function readFast(text: string, domain: string, values: Map<string, string>): Payload {
  const [session, challenge, time] = [required(values, "sid"), required(values, "c"), required(values, "t")];
  if (!FAST_TOKEN.test(session) || !FAST_TOKEN.test(challenge) || !HEX_TIME.test(time)) throw badParameters();
  const issuedAt = Number.parseInt(time, 16);
  return {
    kind: "fast",
    domain,
    webhook: text,
    session,
    challenge,
    signed: text,
    action: "login",
    issuedAt,
    endsAt: issuedAt + FAST_CHALLENGE_LIFETIME_SECONDS,
    ...readIntent(values, "login"),
  };
}

/** A text that differs from the format by even one character is refused (docs/protocol.md#11-challenge). */
function readChallenge(text: string) {
  const [, action, domain = "", timestamp] = CHALLENGE.exec(text) ?? [];
  if ((action !== "login" && action !== "register") || !isHostName(domain)) {
    throw new WalletError(
      "challenge_malformed",
      "This code contains a challenge that this wallet cannot read. Ask the site for a new code; if it happens again, the site is faulty.",
    );
  }
  const issuedAt = Number(timestamp);
  const endsAt = issuedAt + CHALLENGE_LIFETIME_SECONDS;
  return { kind: "challenge", domain, challenge: text, signed: text, action, issuedAt, endsAt } as const;
}

/** An unknown intent is ignored, like any unknown parameter. */
function readIntent(values: Map<string, string>, action: Action): Pick<Payload, "intent" | "purpose"> {
  const intent = values.get("intent");
  if (intent !== "approve" && intent !== "add" && intent !== "recover") {
    return { intent: null, purpose: action };
  }
  // A code that creates an account must not also ask for a change to an existing one.
  if (intent === "approve" && action === "register") throw badParameters();
  return { intent, purpose: intent };
}

/** Absolute HTTP or HTTPS, without a user name or a fragment, with the host unchanged. */
function readWebhook(text: string): URL {
  const host = WEBHOOK.exec(text)?.[1]?.toLowerCase();
  const url = parseUrl(text);
  // The URL parser converts `0x7f.1` and `%6c` to other hosts, but the wallet must connect to the host that was
  // written.
  const isPlain = host !== undefined && (isHostName(host) || host === "[::1]");
  if (!isPlain || url?.hostname !== host) {
    throw new WalletError(
      "webhook_malformed",
      "The address that the answer would go to is not a plain web address. Do not use this code.",
    );
  }
  return url;
}

/** `s`, `c` and `intent` are for the wallet. All other parameters belong to the webhook. */
function withoutLoginParameters(url: URL): string {
  const pairs = url.search.slice(1).split("&");
  url.search = pairs.filter((pair) => pair !== "" && !/^(?:s|c|intent)=/.test(pair)).join("&");
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
    "Part of this code is missing, repeated or garbled. Ask the site for a new one.",
  );
}

/** Unix seconds by this device's clock. */
export function readDeviceTime(): number {
  return Date.now() / 1000;
}

/** In whole seconds. `now` is in Unix seconds. */
export function countSecondsLeft({ issuedAt, endsAt }: Payload, now: number): number {
  return Math.min(Math.max(0, Math.ceil(endsAt - now)), endsAt - issuedAt);
}
