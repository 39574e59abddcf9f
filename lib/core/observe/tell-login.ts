import { log, shortSid } from "../log.ts";
import { type LoginFlow, type LoginOutcome, meters } from "./meters.ts";

/** Why a login went no further. */
export type LoginReason =
  | "challenge_unknown"
  | "challenge_expired"
  | "challenge_used"
  | "invalid_signature"
  | "foreign_key"
  | "unknown_key"
  | "no_cookie"
  | "nothing_to_redeem"
  | "added_key"
  | "not_mine";

/**
 * Tells whether a browser was signed in by an authenticated login.
 * @param redeemed null when there was nothing for this browser to redeem, `stopped` when the holder of an added key is
 *   asked first
 * @returns `redeemed`
 */
export function tellRedemption<Redeemed>(
  flow: LoginFlow,
  { requestId, sid, secret }: { requestId: string; sid: string; secret: string | null },
  redeemed: Redeemed | "stopped" | null,
): Redeemed | "stopped" | null {
  if (redeemed !== null && redeemed !== "stopped") {
    tellLogin({ requestId, flow, sid, outcome: "signed_in" });
  } else {
    const reason = redeemed === "stopped" ? "added_key" : secret ? "nothing_to_redeem" : "no_cookie";
    tellLogin({ requestId, flow, sid, outcome: "not_signed_in", reason });
  }
  return redeemed;
}

/**
 * Tells what became of a login: one line in the log, with the same fields in every flow, and one count. The line
 * holds the first characters of the sid alone (contract 7).
 * @param step.sid null where the request names no login of ours
 */
export function tellLogin(step: {
  requestId: string;
  flow: LoginFlow;
  sid: string | null;
  outcome: LoginOutcome;
  reason?: LoginReason;
}): void {
  const { requestId, flow, sid, outcome, reason } = step;
  meters()?.login({ flow, outcome, reason: reason ?? "" });
  const level = outcome === "issued" ? "debug" : "info";
  log()[level](
    { requestId, flow, session: sid === null ? null : shortSid(sid), outcome, reason },
    `login ${outcome}`,
  );
}
