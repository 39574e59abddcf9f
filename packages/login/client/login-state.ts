import type { RefusalReason } from "../protocol/errors.ts";
import type { FetchFailure } from "./fetch-json.ts";
import type { CheckOutcome, IssueOutcome } from "./login-source.ts";

/** `sid` is the login session to continue, or null if the next code starts a new session. */
export type LoginState =
  | { phase: "loading"; sid: string | null }
  | { phase: "waiting"; sid: string; qr: string; refused: RefusalNotice | null; failures: number }
  | { phase: "unregistered"; sid: string | null }
  | { phase: "received"; sid: string; redirect: string | null }
  | { phase: "signed-in"; redirect: string | null }
  /** The user has been inactive for a while, so the page does not renew its codes. */
  | { phase: "paused"; sid: string | null }
  | { phase: "offline"; sid: string | null; attempt: number }
  /** `retryAt` is in milliseconds since the epoch. */
  | { phase: "rate-limited"; sid: string | null; retryAt: number }
  /**
   * `unavailable`: the service does not work. `sign-in`: the sign-in failed. `ended`: the sign-in or recovery that
   * requested the code has ended, so no more codes are requested. `no-cookies`, `elsewhere`: a code could not sign in
   * this browser, so none is shown. `url` is this page on the site's own origin.
   */
  | { phase: "failed"; reason: "unavailable"; sid: string | null; attempt: number }
  | { phase: "failed"; reason: "sign-in" | "ended" | "no-cookies" }
  | { phase: "failed"; reason: "elsewhere"; url: string };

/** The page shows this notice until it has renewed the code twice, so that the user has time to read it. */
export type RefusalNotice = { reason: RefusalReason; renewals: number };

export type LoginEvent =
  | { type: "issued"; outcome: IssueOutcome; now: number }
  | { type: "checked"; sid: string; outcome: CheckOutcome; now: number }
  | { type: "refused"; reason: RefusalReason }
  | { type: "idle" }
  | { type: "disconnected" }
  | { type: "reconnected" }
  /** If the login session has not ended, it is continued, too. */
  | { type: "resume" }
  | { type: "restart" }
  | { type: "redeemed"; result: "signed-in" | "refused" | "unreachable" };

export const INITIAL_LOGIN_STATE: LoginState = { phase: "loading", sid: null };

/** After this many consecutive failed checks, a message replaces the code. A single failure is ignored. */
const FAILED_CHECKS_SHOWN = 2;

/** Pure. Returns the same object if nothing changes. */
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

export function computeNextCodeDelayMs(state: LoginState, now: number): number | null {
  if (state.phase === "loading") return 0;
  if (state.phase === "offline") return Math.min(3_000 + 2_000 * state.attempt, 15_000);
  if (state.phase === "rate-limited") return Math.max(state.retryAt - now, 0);
  if (state.phase !== "failed" || state.reason !== "unavailable") return null;
  return Math.min(5_000 + 5_000 * state.attempt, 30_000);
}

export function getWatchedSid(state: LoginState): string | null {
  return state.phase === "waiting" || state.phase === "unregistered" ? state.sid : null;
}

export function shownCode(state: LoginState): string | null {
  return state.phase === "waiting" ? state.qr : null;
}

const received = (sid: string, redirect: string | null): LoginState => ({ phase: "received", sid, redirect });

function stateAfterIssue(state: LoginState, outcome: IssueOutcome, now: number): LoginState {
  // Ignores a code that arrives after the wallet's answer.
  if (state.phase !== "waiting" && computeNextCodeDelayMs(state, now) === null) return state;
  if (outcome.kind === "authenticated") return received(outcome.sid, outcome.redirect);
  if (outcome.kind === "signed-in") return { phase: "signed-in", redirect: null };
  if (outcome.kind === "no-cookies") return { phase: "failed", reason: "no-cookies" };
  if (outcome.kind === "elsewhere") return { phase: "failed", reason: "elsewhere", url: outcome.url };
  // The endpoint that issues codes does not return 404 or 410 for an ended session. Starting over immediately would
  // cause a loop.
  if (outcome.kind === "gone") return stateAfterFailure(state, { kind: "broken" }, now);
  if (outcome.kind !== "issued") return stateAfterFailure(state, outcome, now);
  const { sid, qr } = outcome;
  return { phase: "waiting", sid, qr, refused: refusedBefore(state, sid), failures: 0 };
}

/** The notice survives the first renewal of the same session's code, but not the second. */
function refusedBefore(state: LoginState, sid: string) {
  const earlier = state.phase === "waiting" && state.sid === sid ? state.refused : null;
  return earlier && earlier.renewals === 0 ? { ...earlier, renewals: 1 } : null;
}

function stateAfterCheck(state: LoginState, sid: string, outcome: CheckOutcome, now: number): LoginState {
  // Ignores the result of a check for another session, and a result that arrives after the wallet's answer.
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

function toleratedFailure(state: LoginState, kind: CheckOutcome["kind"]): LoginState | null {
  if (state.phase !== "waiting" || ["gone", "ended", "rate-limited"].includes(kind)) return null;
  const failures = state.failures + 1;
  return failures < FAILED_CHECKS_SHOWN ? { ...state, failures } : null;
}

function stateAfterFailure(state: LoginState, failure: FetchFailure, now: number): LoginState {
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
  // Once the browser is online again, the page first checks the session's status and then repeats the sign-in.
  if (result === "unreachable") return { phase: "offline", sid: state.sid, attempt: 0 };
  return { phase: "failed", reason: "sign-in" };
}
