import { checkPayload, type Expectation, secondsLeft } from "#lib/wallet/check-payload.ts";
import type { DeliveryResult } from "#lib/wallet/deliver.ts";
import { type ChallengePayload, readPayload } from "#lib/wallet/read-payload.ts";
import { WalletError } from "#lib/wallet/wallet-error.ts";

/** A domain and the host that would take its answers. */
export type TrustQuestion = { domain: string; host: string };

/** The life of one scanned code in the wallet's page. */
export type WalletRequest =
  /** `problem` says why the last try to confirm came to nothing. */
  | { phase: "asking"; payload: ChallengePayload; problem?: string }
  /** The device asks its user, or the passphrase is being tried. */
  | { phase: "confirming"; payload: ChallengePayload }
  /** `retry` says why the answer is sent once more. */
  | { phase: "sending"; payload: ChallengePayload; retry?: string }
  | { phase: "answered"; payload: ChallengePayload; result: DeliveryResult }
  /** Nothing was signed; `payload` is null when the code could not even be read. With `trust` it would be
   * asked about if the person trusted that host for that domain. */
  | { phase: "refused"; payload: ChallengePayload | null; message: string; trust?: TrustQuestion }
  | { phase: "declined" };

/**
 * Reads what was scanned, pasted or linked.
 * @returns the payload, or the refusal to show
 */
export function readRequest(text: string): ChallengePayload | WalletRequest {
  try {
    const payload = readPayload(text);
    if (payload.kind === "challenge") return payload;
    const message =
      "This is a fast-auth code, which this wallet does not sign yet. Use a login code instead.";
    return { phase: "refused", payload: null, message };
  } catch (error) {
    return refuse(null, error);
  }
}

/**
 * Makes a question to the person of a payload, or a refusal with the reason. Never anything further: a
 * payload alone approves nothing.
 */
export function askAbout(payload: ChallengePayload, expectation: Expectation): WalletRequest {
  try {
    checkPayload(payload, expectation);
    return { phase: "asking", payload };
  } catch (error) {
    return refuse(payload, error);
  }
}

/** A request that came to nothing before it was signed. */
export function refuse(payload: ChallengePayload | null, error: unknown): WalletRequest {
  if (!(error instanceof WalletError)) {
    const message =
      "This wallet could not sign: the browser did not let it. Reload this page and take a new code.";
    return { phase: "refused", payload, message };
  }
  const { code, message } = error;
  if (code !== "webhook_host" || !payload) return { phase: "refused", payload, message };
  const trust = { domain: payload.challenge.domain, host: new URL(payload.webhook).hostname };
  return { phase: "refused", payload, message, trust };
}

/** The same request as time goes on: what was not answered in time is refused. `now` in Unix seconds. */
export function expireRequest(request: WalletRequest, now: number): WalletRequest {
  if (request.phase !== "asking" || secondsLeft(request.payload, now) > 0) return request;
  const message = "This code has run out. Take the new one from the login page.";
  return { phase: "refused", payload: request.payload, message };
}
