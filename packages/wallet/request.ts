import type { SigningKey } from "./answer-code.ts";
import type { SilentSites } from "./asking-browser.ts";
import { checkPayload, type PayloadExpectation } from "./check-payload.ts";
import { type CachedDelegation, fetchDelegation, readCachedDelegation } from "./fetch-delegation.ts";
import { countSecondsLeft, type Payload, readDeviceTime, readPayload } from "./read-payload.ts";
import type { SendResult } from "./send-response.ts";
import type { SiteClock } from "./site-clock.ts";
import { WalletError } from "./wallet-error.ts";

export type TrustQuestion = { domain: string; host: string };

export type SiteRecords = SilentSites & {
  trustedHosts: (domain: string) => Promise<readonly string[]>;
  /** Of any age. */
  findDelegation: (domain: string) => Promise<CachedDelegation | null | undefined>;
  saveDelegation: (cached: CachedDelegation) => Promise<void>;
  /** Called when a site has accepted an answer. */
  rememberSite: (payload: Payload, key: SigningKey) => Promise<void>;
};

export type WalletRequest =
  /** `problem` is the reason why the last attempt to confirm failed. */
  | { phase: "asking"; payload: Payload; problem?: string }
  /**
   * The response would go to a host other than the site's, and the wallet has not yet asked the site whether that host
   * may receive it. Asking reveals to the site that someone scanned its code, so the user decides.
   */
  | { phase: "elsewhere"; payload: Payload }
  | { phase: "looking"; payload: Payload }
  /** The device is verifying its user, or the passphrase is being checked. */
  | { phase: "confirming"; payload: Payload }
  /** Why the answer is sent again. */
  | { phase: "sending"; payload: Payload; retry?: string }
  /** `keyName` is the fingerprint of the key that answered, or the address. */
  | { phase: "answered"; payload: Payload; result: SendResult; keyName?: string }
  /**
   * The wallet signed nothing. `payload` is null if the code could not be read. `trust` is the webhook's host if
   * trusting that host would allow the request. `ranOut` is set if the login's next code will bring the question back.
   */
  | {
      phase: "refused";
      payload: Payload | null;
      message: string;
      trust?: TrustQuestion;
      ranOut?: true;
      error?: unknown;
    }
  | { phase: "declined" };

const RAN_OUT =
  "This code has expired. If the page that showed it is open in this browser, the next code will arrive automatically. If not, go back to the screen that showed it and scan the new code there.";

/** @returns the payload, or the refusal that the user must see */
export function readRequest(text: string): Payload | WalletRequest {
  try {
    return readPayload(text);
  } catch (error) {
    return createRefusedRequest(null, error);
  }
}

/** The hosts that the user and the site currently permit to receive answers. */
export async function readExpectation(
  payload: Payload,
  siteRecords: SiteRecords,
  siteClock: SiteClock,
): Promise<PayloadExpectation> {
  const { domain, webhook } = payload;
  // If the records cannot be read, the wallet trusts no host and asks the site.
  const [trustedHosts, cached] = await Promise.all([
    siteRecords.trustedHosts(domain).catch(() => []),
    siteRecords.findDelegation(domain).catch(() => null),
  ]);
  const delegation = readCachedDelegation(cached, new URL(webhook).hostname, readDeviceTime());
  return { ...currentSiteTime(payload, siteClock), trustedHosts, delegation };
}

/** The site learns that someone is about to sign in. */
export async function fetchExpectation(
  payload: Payload,
  siteRecords: SiteRecords,
  siteClock: SiteClock,
): Promise<PayloadExpectation> {
  const cached = await fetchDelegation(payload.domain);
  await siteRecords.saveDelegation(cached).catch(() => {});
  return { ...(await readExpectation(payload, siteRecords, siteClock)), delegation: cached.delegation };
}

/** By the clock of the code's site. */
export function currentSiteTime(
  payload: Payload,
  siteClock: SiteClock,
): Pick<PayloadExpectation, "now" | "clockError"> {
  return { now: siteClock.now(payload), clockError: siteClock.errorOf(payload) };
}

/** A code is never approved automatically. */
export function toWalletRequest(payload: Payload, expectation: PayloadExpectation): WalletRequest {
  try {
    checkPayload(payload, expectation);
    return { phase: "asking", payload };
  } catch (error) {
    const unknown = error instanceof WalletError && error.code === "delegation_unknown";
    return unknown ? { phase: "elsewhere", payload } : createRefusedRequest(payload, error);
  }
}

export function createRefusedRequest(payload: Payload | null, error: unknown): WalletRequest {
  const refusal = { phase: "refused", payload, error } as const;
  if (!(error instanceof WalletError)) {
    const message =
      "This wallet could not sign, because the browser did not allow it. Reload this page and get a new code.";
    return { ...refusal, message };
  }
  const { code, message } = error;
  if (code === "challenge_expired") return { ...refusal, message, ranOut: true };
  if (code !== "webhook_host" || !payload) return { ...refusal, message };
  const trust = { domain: payload.domain, host: new URL(payload.webhook).hostname };
  return { ...refusal, message, trust };
}

/** Returns any request unchanged whose code has not expired or that the user has already answered. */
export function expireRequest(request: WalletRequest, siteClock: SiteClock): WalletRequest {
  if (!isOpenQuestion(request) || secondsUntilQuestionEnds(request, siteClock) !== 0) return request;
  return createExpiredRequest(request.payload);
}

export function createExpiredRequest(payload: Payload, error?: WalletError): WalletRequest {
  return { phase: "refused", payload, message: RAN_OUT, ranOut: true, error };
}

/**
 * In whole seconds, or null while the site's time is unknown. If the site has not yet said whether the code's host may
 * receive answers, this device's clock is used.
 */
export function secondsUntilQuestionEnds(request: WalletRequest, siteClock: SiteClock): number | null {
  if (!isOpenQuestion(request)) return null;
  const { phase, payload } = request;
  if (phase === "asking" && siteClock.errorOf(payload) > 0) return null;
  return countSecondsLeft(payload, siteClock.now(payload));
}

export function isOpenQuestion(
  request: WalletRequest | null,
): request is Extract<WalletRequest, { phase: "asking" | "elsewhere" }> {
  return request?.phase === "asking" || request?.phase === "elsewhere";
}

/** Null for a request that the next code of its login cannot renew. */
export function getRenewablePayload(request: WalletRequest | null): Payload | null {
  switch (request?.phase) {
    case "asking":
    case "elsewhere":
      return request.payload;
    case "refused":
      return request.ranOut ? request.payload : null;
    case "answered": {
      const { payload, result } = request;
      // For a code that the wallet could parse, fast login returns 400 only if the code has expired.
      return result.status === (payload.kind === "fast" ? 400 : 408) ? payload : null;
    }
    default:
      return null;
  }
}

/** A code for another login, site or purpose has no effect. */
export function renewRequest(
  request: WalletRequest,
  next: Payload,
  expectation: PayloadExpectation,
): WalletRequest {
  const present = getRenewablePayload(request);
  if (!present || toLoginIdentity(present) !== toLoginIdentity(next) || present.challenge === next.challenge)
    return request;
  const renewed = toWalletRequest(next, expectation);
  if (renewed.phase === "elsewhere") return renewed;
  if (renewed.phase !== "asking") return request;
  if (request.phase === "asking") return { ...renewed, problem: request.problem };
  return request.phase === "answered"
    ? { ...renewed, problem: "That code has expired. This is the next one." }
    : renewed;
}

/** The same string for all codes of a login. */
export function toLoginIdentity({ kind, purpose, domain, webhook, session }: Payload): string {
  const { origin, pathname } = new URL(webhook);
  // In fast login, the webhook contains the challenge, which differs between the codes of a login.
  return JSON.stringify([kind, purpose, domain, kind === "fast" ? origin + pathname : webhook, session]);
}
