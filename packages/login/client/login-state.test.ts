import { describe, expect, test } from "vitest";
import type { CheckOutcome, IssueOutcome } from "./login-source.ts";
import {
  codeDelayMs,
  FIRST_STATE,
  type LoginEvent,
  type LoginState,
  nextState,
  watchedSid,
} from "./login-state.ts";

const NOW = 1_750_000_000_000;
const issuedEvent = (qr = "qr-1", sid = "sid-1"): LoginEvent => ({
  type: "issued",
  outcome: { kind: "issued", sid, qr },
  now: NOW,
});
const notIssued = (outcome: IssueOutcome): LoginEvent => ({ type: "issued", outcome, now: NOW });
const checked = (outcome: CheckOutcome, sid = "sid-1"): LoginEvent => ({
  type: "checked",
  sid,
  outcome,
  now: NOW,
});
const stateAfter = (...events: LoginEvent[]): LoginState => events.reduce(nextState, FIRST_STATE);

const authenticated: CheckOutcome = { kind: "authenticated", redirect: "/dashboard" };

describe("the happy path", () => {
  test("requests a code, shows it, renews it for the same session, and redeems the answered login", () => {
    expect(codeDelayMs(FIRST_STATE, NOW)).toBe(0);
    expect(stateAfter(issuedEvent())).toMatchObject({ phase: "waiting", sid: "sid-1", qr: "qr-1" });
    expect(stateAfter(issuedEvent(), issuedEvent("qr-2"))).toMatchObject({
      phase: "waiting",
      sid: "sid-1",
      qr: "qr-2",
    });
    const received = stateAfter(issuedEvent(), checked(authenticated));
    expect(received).toEqual({ phase: "received", sid: "sid-1", redirect: "/dashboard" });
    expect(nextState(received, { type: "redeemed", result: "signed-in" })).toEqual({
      phase: "signed-in",
      redirect: "/dashboard",
    });
  });

  test("redeems a login when a renewal is the first to report the answer", () => {
    const outcome: IssueOutcome = { kind: "authenticated", sid: "sid-1", redirect: "/dashboard" };
    expect(stateAfter(issuedEvent(), notIssued(outcome))).toEqual({
      phase: "received",
      sid: "sid-1",
      redirect: "/dashboard",
    });
    expect(stateAfter(notIssued({ kind: "signed-in" }))).toEqual({ phase: "signed-in", redirect: null });
  });

  test("returns the same state object for an unchanged status", () => {
    const waiting = stateAfter(issuedEvent());
    expect(nextState(waiting, checked({ kind: "pending" }))).toBe(waiting);
  });

  test("keeps the wallet's answer when a renewal arrives after it", () => {
    const received = stateAfter(issuedEvent(), checked(authenticated));
    expect(nextState(received, issuedEvent("qr-2"))).toBe(received);
  });

  test("ignores a status of another session", () => {
    const waiting = stateAfter(issuedEvent());
    expect(nextState(waiting, checked(authenticated, "sid-0"))).toBe(waiting);
  });
});

describe("a refused wallet", () => {
  test("stops showing codes after an unknown key, and a second answer can still sign in", () => {
    const unregistered = stateAfter(issuedEvent(), checked({ kind: "unregistered" }));
    expect(unregistered).toEqual({ phase: "unregistered", sid: "sid-1" });
    expect(codeDelayMs(unregistered, NOW)).toBeNull();
    expect(watchedSid(unregistered)).toBe("sid-1");
    expect(nextState(unregistered, checked(authenticated)).phase).toBe("received");
  });

  test("shows a refusal through one renewal and clears it at the second", () => {
    const refused = stateAfter(issuedEvent(), { type: "refused", reason: "invalid_signature" });
    const once = nextState(refused, issuedEvent("qr-2"));
    const twice = nextState(once, issuedEvent("qr-3"));
    expect([refused, once, twice].map((state) => state.phase === "waiting" && state.refused?.reason)).toEqual(
      ["invalid_signature", "invalid_signature", undefined],
    );
  });
});

describe("interruptions", () => {
  test("reports an outage after two failed checks in a row, not after one", () => {
    const unreachable: CheckOutcome = { kind: "unreachable" };
    expect(stateAfter(issuedEvent(), checked(unreachable)).phase).toBe("waiting");
    expect(
      stateAfter(issuedEvent(), checked(unreachable), checked({ kind: "pending" }), checked(unreachable))
        .phase,
    ).toBe("waiting");
    expect(stateAfter(issuedEvent(), checked(unreachable), checked(unreachable)).phase).toBe("offline");
  });

  test("continues the same session after a reconnection", () => {
    const back = stateAfter(issuedEvent(), { type: "disconnected" }, { type: "reconnected" });
    expect(back).toEqual({ phase: "loading", sid: "sid-1" });
  });

  test("waits longer after each failed attempt, up to a limit", () => {
    const tries = Array.from({ length: 10 }, () => notIssued({ kind: "unreachable" }));
    const delays = tries.map((_, count) => codeDelayMs(stateAfter(...tries.slice(0, count + 1)), NOW));
    expect(delays.slice(0, 3)).toEqual([3_000, 5_000, 7_000]);
    expect(delays.at(-1)).toBe(15_000);
  });

  test("waits for the time in Retry-After after a 429", () => {
    const limited = stateAfter(issuedEvent(), notIssued({ kind: "rate-limited", retryAfterSeconds: 40 }));
    expect(limited).toEqual({ phase: "rate-limited", sid: "sid-1", retryAt: NOW + 40_000 });
    expect(codeDelayMs(limited, NOW + 15_000)).toBe(25_000);
  });

  test("replaces a session that the server no longer has without showing an error", () => {
    expect(stateAfter(issuedEvent(), checked({ kind: "gone" }))).toEqual({ phase: "loading", sid: null });
  });

  test("waits before it retries a missing endpoint for codes", () => {
    const state = stateAfter(notIssued({ kind: "gone" }));
    expect(state.phase).toBe("failed");
    expect(codeDelayMs(state, NOW)).toBeGreaterThan(1_000);
  });

  test("fails immediately when a renewal or the status reports the end, and stops sending requests", () => {
    const ended = { kind: "ended" } as const;
    const states = [stateAfter(notIssued(ended)), stateAfter(issuedEvent(), notIssued(ended))];
    for (const state of [...states, stateAfter(issuedEvent(), checked(ended))]) {
      expect(state).toEqual({ phase: "failed", reason: "ended" });
      expect([codeDelayMs(state, NOW), watchedSid(state)]).toEqual([null, null]);
    }
  });

  test("requests no code without cookies or on another origin until the user tries again", () => {
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
      expect([codeDelayMs(state, NOW), watchedSid(state)]).toEqual([null, null]);
      expect(nextState(state, { type: "restart" })).toEqual({ phase: "loading", sid: null });
    }
  });

  test("reads the status again when the connection is lost during sign-in", () => {
    const lostAnswer = stateAfter(issuedEvent(), checked(authenticated), {
      type: "redeemed",
      result: "unreachable",
    });
    expect(lostAnswer).toMatchObject({ phase: "offline", sid: "sid-1" });
    expect(nextState(lostAnswer, checked(authenticated)).phase).toBe("received");
  });

  test("waits for the user after a denied sign-in, then starts a new login", () => {
    const denied = stateAfter(issuedEvent(), checked(authenticated), { type: "redeemed", result: "refused" });
    expect(denied).toEqual({ phase: "failed", reason: "sign-in" });
    expect(codeDelayMs(denied, NOW)).toBeNull();
    expect(nextState(denied, { type: "restart" })).toEqual({ phase: "loading", sid: null });
  });
});

describe("an idle page", () => {
  test("is silent while paused, and resumes with the same session", () => {
    const paused = stateAfter(issuedEvent(), { type: "idle" });
    expect(paused).toEqual({ phase: "paused", sid: "sid-1" });
    expect(codeDelayMs(paused, NOW)).toBeNull();
    expect(watchedSid(paused)).toBeNull();
    expect(nextState(paused, { type: "resume" })).toEqual({ phase: "loading", sid: "sid-1" });
  });

  test("stays paused when a pending check returns, unless the wallet has answered", () => {
    const paused = stateAfter(issuedEvent(), { type: "idle" });
    expect(nextState(paused, checked({ kind: "unreachable" }))).toBe(paused);
    expect(nextState(paused, checked(authenticated)).phase).toBe("received");
  });
});
