import type { Expectation } from "#lib/wallet/check-payload.ts";
import { purposeOf } from "#lib/wallet/purpose.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import { askAbout, domainOf, type WalletRequest, webhookOf } from "./request.ts";

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
