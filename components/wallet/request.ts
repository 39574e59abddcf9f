import { checkFastPayload, checkPayload, secondsLeft } from "#lib/wallet/check-payload.ts";
import type { DeliveryResult } from "#lib/wallet/deliver.ts";
import { type Payload, readPayload } from "#lib/wallet/read-payload.ts";
import { WalletError } from "#lib/wallet/wallet-error.ts";

/** The life of one scanned code in the wallet's page. */
export type WalletRequest =
  | { phase: "asking"; payload: Payload }
  | { phase: "sending"; payload: Payload }
  | { phase: "answered"; payload: Payload; result: DeliveryResult }
  /** Nothing was signed; `payload` is null when the code could not even be read. */
  | { phase: "refused"; payload: Payload | null; message: string }
  | { phase: "declined" };

/**
 * Opens what was scanned, pasted or linked: a question to the person, or a refusal with the reason.
 * Never anything further: a payload alone approves nothing.
 * @param now Unix seconds
 */
export function openRequest(text: string, now: number, trustedHosts: readonly string[]): WalletRequest {
  let payload: Payload | null = null;
  try {
    payload = readPayload(text);
    if (payload.kind === "fast") checkFastPayload(payload, now);
    else checkPayload(payload, { now, trustedHosts });
    return { phase: "asking", payload };
  } catch (error) {
    return refuse(payload, error);
  }
}

/** A request that came to nothing before it was signed. */
export function refuse(payload: Payload | null, error: unknown): WalletRequest {
  if (error instanceof WalletError) return { phase: "refused", payload, message: error.message };
  return {
    phase: "refused",
    payload,
    message: "This wallet could not sign: the browser did not let it. Reload this page and take a new code.",
  };
}

/** The same request as time goes on: what was not answered in time is refused. `now` in Unix seconds. */
export function expireRequest(request: WalletRequest, now: number): WalletRequest {
  if (request.phase !== "asking" || secondsLeft(request.payload, now) > 0) return request;
  const message = "This code has run out. Take the new one from the login page.";
  return { phase: "refused", payload: request.payload, message };
}

/** Whom a code is for: the challenge's domain, or in flow C the host of the code's own URL. */
export function domainOf(payload: Payload): string {
  return payload.kind === "fast" ? new URL(payload.url).hostname : payload.challenge.domain;
}

/** Where the answer goes. */
export function webhookOf(payload: Payload): URL {
  return new URL(payload.kind === "fast" ? payload.url : payload.webhook);
}
