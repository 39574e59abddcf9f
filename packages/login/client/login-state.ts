import type { RefusalReason } from "../protocol/errors.ts";
import type { Failure } from "./fetch-json.ts";
import type { CheckOutcome, IssueOutcome } from "./login-source.ts";

/** The state of the login panel. `sid` is the session to continue, or null if the next code starts a new one. */
export type LoginState =
  /** The page requests the first code, or the next one after an interruption. */
  | { phase: "loading"; sid: string | null }
  /** A code is shown. */
  | { phase: "waiting"; sid: string; qr: string; refused: Refusal | null; failures: number }
  /** The wallet's answer was valid, but its key has no account here. */
  | { phase: "unregistered"; sid: string | null }
  /** The wallet's answer was accepted, and this browser is being signed in. */
  | { phase: "received"; sid: string; redirect: string | null }
  | { phase: "signed-in"; redirect: string | null }
  /** The user has not used the page for a while. */
  | { phase: "paused"; sid: string | null }
  | { phase: "offline"; sid: string | null; attempt: number }
  /** `retryAt` is in milliseconds since the epoch. */
  | { phase: "rate-limited"; sid: string | null; retryAt: number }
  /**
   * `unavailable`: the service does not work. `sign-in`: the sign-in failed. `ended`: the sign-in or recovery that
   * requested the code has ended, and no more codes are requested. `no-cookies` and `elsewhere`: a code could not sign
   * this browser in, so none is shown. `url` is this page on the site's own origin.
   */
  | { phase: "failed"; reason: "unavailable"; sid: string | null; attempt: number }
  | { phase: "failed"; reason: "sign-in" | "ended" | "no-cookies" }
  | { phase: "failed"; reason: "elsewhere"; url: string };

/** A refusal. It is shown until the second renewal after it, so that there is time to read it. */
export type Refusal = { reason: RefusalReason; renewals: number };

export type LoginEvent =
  | { type: "issued"; outcome: IssueOutcome; now: number }
  | { type: "checked"; sid: string; outcome: CheckOutcome; now: number }
  | { type: "refused"; reason: RefusalReason }
  | { type: "idle" }
  | { type: "disconnected" }
  | { type: "reconnected" }
  /** The user continues after a pause or a failure, with the same session if it has not ended. */
  | { type: "resume" }
  | { type: "restart" }
  | { type: "redeemed"; result: "signed-in" | "refused" | "unreachable" };

export const INITIAL_STATE: LoginState = { phase: "loading", sid: null };

/** The number of consecutive failed checks after which a message replaces the code. A single failure is ignored. */
const FAILED_CHECKS_SHOWN = 2;

/** Returns the panel's next state. Pure. Returns the same object if nothing changes. */
export function loginReducer(state: LoginState, event: LoginEvent): LoginState {
  switch (event.type) {
    case "issued":
      return stateAfterIssue(state, event.outcome, event.now);
    case "checked":
      return stateAfterCheck(state, event.sid, event.outcome, event.now);
    case "refused":
      return state.phase === "waiting" ? { ...state, refused: { reason: event.reason, renewals: 0 } } : state;
    case "idle":
      return state.phase === "waiting" ? { phase: "paused", sid: state.sid } : state;
    case "disconnected":
      return state.phase === "waiting" || state.phase === "loading"
        ? { phase: "offline", sid: state.sid, attempt: 0 }
        : state;
    case "reconnected":
      return state.phase === "offline" ? { phase: "loading", sid: state.sid } : state;
    case "resume":
      return { phase: "loading", sid: "sid" in state ? state.sid : null };
    case "restart":
      return { phase: "loading", sid: null };
    case "redeemed":
      return stateAfterRedeem(state, event.result);
  }
}

/** Returns the milliseconds until a code should be requested in this state, or null if none should. */
export function codeDelayMs(state: LoginState, now: number): number | null {
  if (state.phase === "loading") return 0;
  if (state.phase === "offline") return Math.min(3_000 + 2_000 * state.attempt, 15_000);
  if (state.phase === "rate-limited") return Math.max(state.retryAt - now, 0);
  if (state.phase !== "failed" || state.reason !== "unavailable") return null;
  return Math.min(5_000 + 5_000 * state.attempt, 30_000);
}

/** Returns the session to poll and to listen to in this state, or null. */
export function watchedSid(state: LoginState): string | null {
  return state.phase === "waiting" || state.phase === "unregistered" ? state.sid : null;
}

/** Returns the code that can be answered in this state, or null. */
export function shownCode(state: LoginState): string | null {
  return state.phase === "waiting" ? state.qr : null;
}

const received = (sid: string, redirect: string | null): LoginState => ({ phase: "received", sid, redirect });

function stateAfterIssue(state: LoginState, outcome: IssueOutcome, now: number): LoginState {
  // A code that arrives after the wallet's answer is ignored.
  if (state.phase !== "waiting" && codeDelayMs(state, now) === null) return state;
  if (outcome.kind === "authenticated") return received(outcome.sid, outcome.redirect);
  if (outcome.kind === "signed-in") return { phase: "signed-in", redirect: null };
  if (outcome.kind === "no-cookies") return { phase: "failed", reason: "no-cookies" };
  if (outcome.kind === "elsewhere") return { phase: "failed", reason: "elsewhere", url: outcome.url };
  // The endpoint that issues codes does not use this status for an ended session. Starting over immediately would
  // loop.
  if (outcome.kind === "gone") return stateAfterFailure(state, { kind: "broken" }, now);
  if (outcome.kind !== "issued") return stateAfterFailure(state, outcome, now);
  const { sid, qr } = outcome;
  return { phase: "waiting", sid, qr, refused: refusedBefore(state, sid), failures: 0 };
}

/** Returns the notice about a refused wallet response, which is kept for one renewal of the login's code. */
function refusedBefore(state: LoginState, sid: string) {
  const earlier = state.phase === "waiting" && state.sid === sid ? state.refused : null;
  return earlier && earlier.renewals === 0 ? { ...earlier, renewals: 1 } : null;
}

function stateAfterCheck(state: LoginState, sid: string, outcome: CheckOutcome, now: number): LoginState {
  // Ignores an answer about another session, and one that arrives after the wallet's answer.
  if (!("sid" in state) || state.sid !== sid || state.phase === "received") return state;
  if (outcome.kind === "authenticated") return received(sid, outcome.redirect);
  if (state.phase === "unregistered") return outcome.kind === "gone" ? { ...state, sid: null } : state;
  if (state.phase === "paused") return state;
  if (outcome.kind === "unregistered") return { phase: "unregistered", sid };
  if (outcome.kind === "pending") {
    return state.phase === "waiting" && state.failures > 0 ? { ...state, failures: 0 } : state;
  }
  return toleratedFailure(state, outcome.kind) ?? stateAfterFailure(state, outcome, now);
}

/** Tolerates a failed check: while a code is shown, one or two checks may fail before the page reports the failure. */
function toleratedFailure(state: LoginState, kind: CheckOutcome["kind"]): LoginState | null {
  if (state.phase !== "waiting" || ["gone", "ended", "rate-limited"].includes(kind)) return null;
  const failures = state.failures + 1;
  return failures < FAILED_CHECKS_SHOWN ? { ...state, failures } : null;
}

function stateAfterFailure(state: LoginState, failure: Failure, now: number): LoginState {
  const sid = "sid" in state ? state.sid : null;
  const attempt = "attempt" in state ? state.attempt + 1 : 0;
  if (failure.kind === "gone") return { phase: "loading", sid: null };
  if (failure.kind === "ended") return { phase: "failed", reason: "ended" };
  if (failure.kind === "unreachable") return { phase: "offline", sid, attempt };
  if (failure.kind !== "rate-limited") return { phase: "failed", reason: "unavailable", sid, attempt };
  return { phase: "rate-limited", sid, retryAt: now + failure.retryAfterSeconds * 1000 };
}

function stateAfterRedeem(state: LoginState, result: "signed-in" | "refused" | "unreachable"): LoginState {
  if (state.phase !== "received") return state;
  if (result === "signed-in") return { phase: "signed-in", redirect: state.redirect };
  // After the browser is back online, it reads the session's status first and then repeats the sign-in.
  if (result === "unreachable") return { phase: "offline", sid: state.sid, attempt: 0 };
  return { phase: "failed", reason: "sign-in" };
}
