import { describe, expect, test } from "vitest";
import type { CheckOutcome, IssueOutcome } from "./login-source.ts";
import {
  computeNextCodeDelayMs,
  getWatchedSid,
  INITIAL_LOGIN_STATE,
  type LoginEvent,
  type LoginState,
  loginReducer,
} from "./login-state.ts";

const NOW = 1_750_000_000_000;
const issuedEvent = (qr = "qr-1", sid = "sid-1"): LoginEvent => ({
  type: "issued",
  outcome: { kind: "issued", sid, qr },
  now: NOW,
});
const notIssued = (outcome: IssueOutcome): LoginEvent => ({ type: "issued", outcome, now: NOW });
const checkedEvent = (outcome: CheckOutcome, sid = "sid-1"): LoginEvent => ({
  type: "checked",
  sid,
  outcome,
  now: NOW,
});
const stateAfter = (...events: LoginEvent[]): LoginState => events.reduce(loginReducer, INITIAL_LOGIN_STATE);

const authenticated: CheckOutcome = { kind: "authenticated", redirect: "/dashboard" };

describe("a login without interruptions", () => {
  test("requests a code, shows it, renews it and redeems the answered login", () => {
    expect(computeNextCodeDelayMs(INITIAL_LOGIN_STATE, NOW)).toBe(0);
    expect(stateAfter(issuedEvent())).toMatchObject({ phase: "waiting", sid: "sid-1", qr: "qr-1" });
    expect(stateAfter(issuedEvent(), issuedEvent("qr-2"))).toMatchObject({
      phase: "waiting",
      sid: "sid-1",
      qr: "qr-2",
    });
    const receivedState = stateAfter(issuedEvent(), checkedEvent(authenticated));
    expect(receivedState).toEqual({ phase: "received", sid: "sid-1", redirect: "/dashboard" });
    expect(loginReducer(receivedState, { type: "redeemed", result: "signed-in" })).toEqual({
      phase: "signed-in",
      redirect: "/dashboard",
    });
  });

  test("redeems a login even if a renewal reports the answer before any status check", () => {
    const outcome: IssueOutcome = { kind: "authenticated", sid: "sid-1", redirect: "/dashboard" };
    expect(stateAfter(issuedEvent(), notIssued(outcome))).toEqual({
      phase: "received",
      sid: "sid-1",
      redirect: "/dashboard",
    });
    expect(stateAfter(notIssued({ kind: "signed-in" }))).toEqual({ phase: "signed-in", redirect: null });
  });

  test("returns the same state object for an unchanged status", () => {
    const waitingState = stateAfter(issuedEvent());
    expect(loginReducer(waitingState, checkedEvent({ kind: "pending" }))).toBe(waitingState);
  });

  test("does not lose the wallet's answer when a renewal arrives after it", () => {
    const receivedState = stateAfter(issuedEvent(), checkedEvent(authenticated));
    expect(loginReducer(receivedState, issuedEvent("qr-2"))).toBe(receivedState);
  });

  test("ignores the status of another session", () => {
    const waitingState = stateAfter(issuedEvent());
    expect(loginReducer(waitingState, checkedEvent(authenticated, "sid-0"))).toBe(waitingState);
  });
});

describe("a page whose wallet was refused", () => {
  test("stops showing codes after an unknown key has answered", () => {
    const unregistered = stateAfter(issuedEvent(), checkedEvent({ kind: "unregistered" }));
    expect(unregistered).toEqual({ phase: "unregistered", sid: "sid-1" });
    expect(computeNextCodeDelayMs(unregistered, NOW)).toBeNull();
    expect(getWatchedSid(unregistered)).toBe("sid-1");
    expect(loginReducer(unregistered, checkedEvent(authenticated)).phase).toBe("received");
  });

  test("keeps showing a refusal during the first renewal and clears it on the second", () => {
    const refusedState = stateAfter(issuedEvent(), { type: "refused", reason: "invalid_signature" });
    const once = loginReducer(refusedState, issuedEvent("qr-2"));
    const twice = loginReducer(once, issuedEvent("qr-3"));
    expect(
      [refusedState, once, twice].map((state) => state.phase === "waiting" && state.refused?.reason),
    ).toEqual(["invalid_signature", "invalid_signature", undefined]);
  });
});

describe("an interrupted login", () => {
  test("reports an outage after two consecutive failed checks, not after one", () => {
    const unreachable: CheckOutcome = { kind: "unreachable" };
    expect(stateAfter(issuedEvent(), checkedEvent(unreachable)).phase).toBe("waiting");
    expect(
      stateAfter(
        issuedEvent(),
        checkedEvent(unreachable),
        checkedEvent({ kind: "pending" }),
        checkedEvent(unreachable),
      ).phase,
    ).toBe("waiting");
    expect(stateAfter(issuedEvent(), checkedEvent(unreachable), checkedEvent(unreachable)).phase).toBe(
      "offline",
    );
  });

  test("continues the same session after reconnecting", () => {
    const back = stateAfter(issuedEvent(), { type: "disconnected" }, { type: "reconnected" });
    expect(back).toEqual({ phase: "loading", sid: "sid-1" });
  });

  test("waits longer after each failed attempt, up to a limit", () => {
    const tries = Array.from({ length: 10 }, () => notIssued({ kind: "unreachable" }));
    const delays = tries.map((_, count) =>
      computeNextCodeDelayMs(stateAfter(...tries.slice(0, count + 1)), NOW),
    );
    expect(delays.slice(0, 3)).toEqual([3_000, 5_000, 7_000]);
    expect(delays.at(-1)).toBe(15_000);
  });

  test("waits for the time in Retry-After after a 429", () => {
    const limited = stateAfter(issuedEvent(), notIssued({ kind: "rate-limited", retryAfterSeconds: 40 }));
    expect(limited).toEqual({ phase: "rate-limited", sid: "sid-1", retryAt: NOW + 40_000 });
    expect(computeNextCodeDelayMs(limited, NOW + 15_000)).toBe(25_000);
  });

  test("replaces a session that the server no longer has, without showing an error", () => {
    expect(stateAfter(issuedEvent(), checkedEvent({ kind: "gone" }))).toEqual({
      phase: "loading",
      sid: null,
    });
  });

  test("waits before it requests a code from a missing endpoint again", () => {
    const state = stateAfter(notIssued({ kind: "gone" }));
    expect(state.phase).toBe("failed");
    expect(computeNextCodeDelayMs(state, NOW)).toBeGreaterThan(1_000);
  });

  test("fails immediately and stops sending requests when the session has ended", () => {
    const endedState = { kind: "ended" } as const;
    const states = [stateAfter(notIssued(endedState)), stateAfter(issuedEvent(), notIssued(endedState))];
    for (const state of [...states, stateAfter(issuedEvent(), checkedEvent(endedState))]) {
      expect(state).toEqual({ phase: "failed", reason: "ended" });
      expect([computeNextCodeDelayMs(state, NOW), getWatchedSid(state)]).toEqual([null, null]);
    }
  });

  test("does not request a code without cookies or on another origin until the user tries again", () => {
    const url = "http://localhost:3410/login";
    for (const [outcome, failed] of [
      [{ kind: "no-cookies" }, { reason: "no-cookies" }],
      [
        { kind: "elsewhere", url },
        { reason: "elsewhere", url },
      ],
    ] as const) {
      const state = stateAfter(notIssued(outcome));
      expect(state).toEqual({ phase: "failed", ...failed });
      expect([computeNextCodeDelayMs(state, NOW), getWatchedSid(state)]).toEqual([null, null]);
      expect(loginReducer(state, { type: "restart" })).toEqual({ phase: "loading", sid: null });
    }
  });

  test("reads the status again if the connection is lost during sign-in", () => {
    const lostAnswer = stateAfter(issuedEvent(), checkedEvent(authenticated), {
      type: "redeemed",
      result: "unreachable",
    });
    expect(lostAnswer).toMatchObject({ phase: "offline", sid: "sid-1" });
    expect(loginReducer(lostAnswer, checkedEvent(authenticated)).phase).toBe("received");
  });

  test("waits for the user to try again after a refused sign-in, then starts a new login", () => {
    const denied = stateAfter(issuedEvent(), checkedEvent(authenticated), {
      type: "redeemed",
      result: "refused",
    });
    expect(denied).toEqual({ phase: "failed", reason: "sign-in" });
    expect(computeNextCodeDelayMs(denied, NOW)).toBeNull();
    expect(loginReducer(denied, { type: "restart" })).toEqual({ phase: "loading", sid: null });
  });
});

describe("an idle page", () => {
  test("sends no requests while paused, and resumes with the same session", () => {
    const paused = stateAfter(issuedEvent(), { type: "idle" });
    expect(paused).toEqual({ phase: "paused", sid: "sid-1" });
    expect(computeNextCodeDelayMs(paused, NOW)).toBeNull();
    expect(getWatchedSid(paused)).toBeNull();
    expect(loginReducer(paused, { type: "resume" })).toEqual({ phase: "loading", sid: "sid-1" });
  });

  test("stays paused when a check that was in progress returns, unless the wallet has answered", () => {
    const paused = stateAfter(issuedEvent(), { type: "idle" });
    expect(loginReducer(paused, checkedEvent({ kind: "unreachable" }))).toBe(paused);
    expect(loginReducer(paused, checkedEvent(authenticated)).phase).toBe("received");
  });
});
