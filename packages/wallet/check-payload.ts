import { type Delegation, delegationUrl, formatDelegation } from "./delegation-file.ts";
import { REQUEST_TEXTS } from "./purpose.ts";
import type { Action, Payload } from "./read-payload.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "./site-clock.ts";
import { isLoopback } from "./url.ts";
import { WalletError } from "./wallet-error.ts";

export type PayloadExpectation = {
  /** Unix seconds, by the site's clock if it is known, otherwise by this device's clock. */
  now: number;
  /**
   * The possible error in `now`, in seconds, until the wallet has asked the site for its time (`SiteClock`). Absent
   * means 0.
   */
  clockError?: number;
  /** If absent, the code may have either action. */
  action?: Action;
  /** Host names of hosted APIs that the user trusts with answers for this challenge's domain. */
  trustedHosts?: readonly string[];
  /**
   * The hosts that the domain lists (docs/protocol.md#9-delegation). Null if the list has not been requested yet;
   * absent in a wallet that never requests the list.
   */
  delegation?: Delegation | null;
};

/**
 * Throws for a code that a wallet must never answer. Otherwise, the code may be shown to the user for approval. The
 * check runs again when the code is signed, because the code may have expired by then. The check protects users from
 * relayed codes (docs/protocol.md#7-wallets): if an attacker shows a site's code on their own page, the user's answer
 * must not reach the attacker. So an answer may go only to the challenge's own domain, to a host that this domain
 * lists, or to an API that the user chose to trust, and without encryption only to this machine. A fast-login code is a
 * URL, and its answer goes to the host in that URL, so the user has to check only that host.
 * @throws WalletError `webhook_not_https`, `wrong_action`, `challenge_expired` or `challenge_from_future`; then
 * `delegation_unknown` if only the domain's delegation can still allow the host, or `webhook_host`
 */
export function checkPayload(payload: Payload, expectation: PayloadExpectation): void {
  const { hostname, protocol } = new URL(payload.webhook);
  if (protocol !== "https:" && !isLoopback(hostname)) {
    throw new WalletError(
      "webhook_not_https",
      `The answer would travel to ${hostname} without encryption. You can sign in only after the site offers https.`,
    );
  }
  refuseOtherAction(payload, expectation.action);
  assertCodeIsCurrent(payload, expectation);
  refuseOtherHost(hostname, payload, expectation);
}

function refuseOtherAction({ action, intent }: Payload, wantedAction: Action | undefined): void {
  // A code for recovering an account has the action `register`, because the account gets the key that answers.
  if (wantedAction === "register" && intent && intent !== "recover") {
    throw new WalletError(
      "wrong_action",
      `This code does not create an account: it asks you to ${REQUEST_TEXTS[intent]}. Do not use it unless you requested it yourself. If you did, answer it with login.`,
    );
  }
  if (wantedAction && !intent && action !== wantedAction) {
    throw new WalletError(
      "wrong_action",
      `This is a ${action} code, not a ${wantedAction} code. Take the code from the site's ${wantedAction} page, or answer this one with ${action}.`,
    );
  }
}

/** @throws WalletError `challenge_expired` or `challenge_from_future` */
export function assertCodeIsCurrent(
  { issuedAt, endsAt }: Payload,
  { now, clockError = 0 }: Pick<PayloadExpectation, "now" | "clockError">,
): void {
  if (now > endsAt + clockError) {
    throw new WalletError(
      "challenge_expired",
      `This code is ${inWords(now - issuedAt)} old, and a code is valid for ${endsAt - issuedAt} seconds. Take the new one from the login page. If that is refused too, this device's clock is about ${inWords(now - issuedAt)} ahead, so set it.`,
    );
  }
  if (now < issuedAt - Math.max(clockError, MAX_CLOCK_SKEW_SECONDS)) {
    const off = inWords(issuedAt - now);
    throw new WalletError(
      "challenge_from_future",
      `This code comes from the future: its time is ${off} ahead of this device's clock, so this clock or the site's is about ${off} off. Set this device's clock and get a new code.`,
    );
  }
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

function refuseOtherHost(hostname: string, payload: Payload, expectation: PayloadExpectation): void {
  const { domain } = payload;
  const { trustedHosts = [], delegation } = expectation;
  if (hostname === domain || trustedHosts.includes(hostname)) return;
  const explanation = `This code is for ${domain}, but the answer would go to ${hostname}, which is neither that site nor an API you trust.`;
  const warning = "Do not use it: it may be an attempt to sign in as you.";
  // Otherwise, a site on the network could make the wallet post to services on its user's machine.
  const canBeNamed = !isLoopback(hostname) || isLoopback(domain);
  if (delegation === undefined || !canBeNamed)
    throw new WalletError("webhook_host", `${explanation} ${warning}`);
  if (delegation === null) {
    // The domain must not learn who scans a code that looks expired.
    assertCodeIsCurrent(payload, { now: expectation.now });
    throw new WalletError(
      "delegation_unknown",
      `${explanation} The wallet has not yet asked ${domain} whether that host is allowed.`,
    );
  }
  if (delegation.status === "ok" && delegation.hosts.includes(hostname)) return;
  const reason = delegation.status === "ok" ? "its file names other hosts" : delegation.reason;
  throw new WalletError(
    "webhook_host",
    `${explanation} ${domain} did not confirm it. ${warning}\nThe wallet found: ${reason}.\nIf the site is yours, publish this at ${delegationUrl(domain)}; a wallet asks again after five minutes:\n${formatDelegation(domain, [hostname])}`,
  );
}
