import { checkFastPayload, checkPayload, type Expectation, secondsLeft } from "@svc/wallet/check-payload";
import { purposeOf } from "@svc/wallet/purpose";
import { type ChallengePayload, type Payload, readPayload } from "@svc/wallet/read-payload";
import type { SendResult } from "@svc/wallet/send-response";
import { WalletError } from "@svc/wallet/wallet-error";

/** A domain and the host that would take its answers. */
export type TrustQuestion = { domain: string; host: string };

/** The life of one scanned code in the wallet's page. */
export type WalletRequest =
  /** `problem` says why the last try to confirm came to nothing. */
  | { phase: "asking"; payload: Payload; problem?: string }
  /**
   * The answer would go to another host than the site's, and the site was not asked yet whether that is right. To ask
   * tells it that somebody is here, so the person decides.
   */
  | { phase: "elsewhere"; payload: ChallengePayload }
  /** The site is asked. */
  | { phase: "looking"; payload: ChallengePayload }
  /** The device asks its user, or the passphrase is being tried. */
  | { phase: "confirming"; payload: Payload }
  /** `retry` says why the answer is sent once more. */
  | { phase: "sending"; payload: Payload; retry?: string }
  /** `keyName` is the fingerprint of the key that answered, or the address. */
  | { phase: "answered"; payload: Payload; result: SendResult; keyName?: string }
  /**
   * Nothing was signed; `payload` is null when the code could not even be read. `trust` is set if trusting that host
   * would allow the request; `ranOut`, if the login's next code will bring the question back.
   */
  | { phase: "refused"; payload: Payload | null; message: string; trust?: TrustQuestion; ranOut?: true }
  | { phase: "declined" };

const RAN_OUT =
  "This code has run out. If the page that showed it is open in this browser, the next one comes by itself. If not, go back to the screen that showed it and scan the code that stands there now.";

/**
 * Reads what was scanned, pasted or linked.
 * @returns the payload, or the refusal to show
 */
export function readRequest(text: string): Payload | WalletRequest {
  try {
    return readPayload(text);
  } catch (error) {
    return refuse(null, error);
  }
}

/**
 * Makes a question to the person of a payload, or a refusal with the reason. Never anything further: a
 * payload alone approves nothing.
 */
export function askAbout(payload: Payload, expectation: Expectation): WalletRequest {
  try {
    if (payload.kind === "fast") checkFastPayload(payload, expectation.now);
    else checkPayload(payload, expectation);
    return { phase: "asking", payload };
  } catch (error) {
    const unknown = error instanceof WalletError && error.code === "delegation_unknown";
    if (unknown && payload.kind === "challenge") return { phase: "elsewhere", payload };
    return refuse(payload, error);
  }
}

/** A request that came to nothing before it was signed. */
export function refuse(payload: Payload | null, error: unknown): WalletRequest {
  if (!(error instanceof WalletError)) {
    const message =
      "This wallet could not sign: the browser did not let it. Reload this page and take a new code.";
    return { phase: "refused", payload, message };
  }
  const { code, message } = error;
  if (code === "challenge_expired") return { phase: "refused", payload, message, ranOut: true };
  if (code !== "webhook_host" || payload?.kind !== "challenge") return { phase: "refused", payload, message };
  const trust = { domain: payload.challenge.domain, host: new URL(payload.webhook).hostname };
  return { phase: "refused", payload, message, trust };
}

/** The same request as time goes on: what was not answered in time is refused. `now` in Unix seconds. */
export function expireRequest(request: WalletRequest, now: number): WalletRequest {
  if (!isOpenQuestion(request) || secondsLeft(request.payload, now) > 0) return request;
  return refuseLate(request.payload);
}

/** A request whose code has run out. */
export function refuseLate(payload: Payload): WalletRequest {
  return { phase: "refused", payload, message: RAN_OUT, ranOut: true };
}

/** A request that waits for the person, until its code ends. */
export function isOpenQuestion(
  request: WalletRequest | null,
): request is Extract<WalletRequest, { phase: "asking" | "elsewhere" }> {
  return request?.phase === "asking" || request?.phase === "elsewhere";
}

/** Whom a code is for: the challenge's domain, or in fast login the host of the code's own URL. */
export function domainOf(payload: Payload): string {
  return payload.kind === "fast" ? new URL(payload.url).hostname : payload.challenge.domain;
}

/** Where the answer goes. */
export function webhookOf(payload: Payload): URL {
  return new URL(payload.kind === "fast" ? payload.url : payload.webhook);
}

/** The challenge taken apart, to be shown. */
export function challengeParts({
  challenge,
}: ChallengePayload): Record<"action" | "domain" | "issuedAt" | "nonce", string> {
  const { action, domain, issuedAt, text } = challenge;
  return { action, domain, issuedAt: String(issuedAt), nonce: text.slice(text.lastIndexOf(":") + 1) };
}

/** The payload of a request that the next code of its login can go on with; null when there is none. */
export function renewablePayload(request: WalletRequest | null): Payload | null {
  switch (request?.phase) {
    case "asking":
    case "elsewhere":
      return request.payload;
    case "refused":
      return request.ranOut ? request.payload : null;
    case "answered":
      return ranOut(request) ? request.payload : null;
    default:
      return null;
  }
}

/**
 * The same question with the next code of its login. A code of another login, site or purpose changes nothing,
 * whoever hands it over.
 */
export function renewRequest(request: WalletRequest, next: Payload, expectation: Expectation): WalletRequest {
  const present = renewablePayload(request);
  if (!present || loginOf(present) !== loginOf(next) || challengeOf(present) === challengeOf(next))
    return request;
  const asked = askAbout(next, expectation);
  if (asked.phase === "elsewhere") return asked;
  if (asked.phase !== "asking") return request;
  if (request.phase === "asking") return { ...asked, problem: request.problem };
  return request.phase === "answered"
    ? { ...asked, problem: "That code had run out; this is the next." }
    : asked;
}

/** What stays the same from one code of a login to the next: who asks for what, in which session. */
export function loginOf(payload: Payload): string {
  const { origin, pathname } = webhookOf(payload);
  return JSON.stringify([
    payload.kind,
    purposeOf(payload),
    domainOf(payload),
    payload.kind === "fast" ? origin + pathname : payload.webhook,
    sessionOf(payload),
  ]);
}

/** The login session that a code belongs to. */
export function sessionOf(payload: Payload): string {
  return payload.kind === "fast" ? payload.sid : payload.session;
}

/** The code's challenge, which tells it from the one before. */
export function challengeOf(payload: Payload): string {
  return payload.kind === "fast" ? payload.token : payload.challenge.text;
}

function ranOut({ payload, result }: Extract<WalletRequest, { phase: "answered" }>): boolean {
  // Fast login says so with a 400, and in no other case with a code that this wallet could read.
  return result.status === 408 || (payload.kind === "fast" && result.status === 400);
}
