import type { LoginState } from "@svc/login/client";
import { expect, test } from "vitest";
import { en } from "../texts/en.tsx";
import { getPanelTexts } from "./login-panel.tsx";

const STATES: LoginState[] = [
  { phase: "loading", sid: null },
  { phase: "waiting", sid: "s", qr: "q", refused: null, failures: 0 },
  { phase: "waiting", sid: "s", qr: "q", refused: { reason: "challenge_expired", renewals: 0 }, failures: 0 },
  { phase: "waiting", sid: "s", qr: "q", refused: { reason: "invalid_signature", renewals: 0 }, failures: 0 },
  { phase: "waiting", sid: "s", qr: "q", refused: { reason: "intent_mismatch", renewals: 0 }, failures: 0 },
  { phase: "waiting", sid: "s", qr: "q", refused: { reason: "foreign_key", renewals: 0 }, failures: 0 },
  { phase: "unregistered", sid: "s" },
  { phase: "received", sid: "s", redirect: null },
  { phase: "signed-in", redirect: null },
  { phase: "paused", sid: "s" },
  { phase: "offline", sid: "s", attempt: 0 },
  { phase: "rate-limited", sid: "s", retryAt: 0 },
  { phase: "failed", reason: "unavailable", sid: "s", attempt: 0 },
  { phase: "failed", reason: "sign-in" },
  { phase: "failed", reason: "ended" },
];

test("has a different text for each state", () => {
  const titles = STATES.map((state) => getPanelTexts(en.status, state, "login", "example.com").title);
  expect(new Set(titles).size).toBe(STATES.length);
});

test("does not describe a recovery that has ended as a sign-in", () => {
  const endedState = { phase: "failed", reason: "ended" } as const;
  const titles = (["add", "approve", "recover"] as const).map(
    (action) => getPanelTexts(en.status, endedState, action, "example.com").title,
  );
  expect(titles).toEqual([
    "Your sign-in has ended",
    "Your sign-in has ended",
    "This recovery is no longer open",
  ]);
});

test("suggests an alternative for each purpose if the wallet already has an account", () => {
  const refusedState = {
    phase: "waiting",
    sid: "s",
    qr: "q",
    refused: { reason: "foreign_key", renewals: 0 },
    failures: 0,
  };
  const details = (["add", "approve", "recover"] as const).map(
    (action) => getPanelTexts(en.status, refusedState as LoginState, action, "example.com").detail,
  );
  expect(details).toEqual([
    expect.stringContaining("another wallet"),
    expect.stringContaining("Approve with"),
    expect.stringContaining("recover another account"),
  ]);
});

test("does not change its text during a renewal, a retry or a failed check", () => {
  const words = (state: LoginState) => getPanelTexts(en.status, state, "login", "example.com");
  expect(words({ phase: "waiting", sid: "s", qr: "q2", refused: null, failures: 1 })).toEqual(
    words({ phase: "waiting", sid: "s", qr: "q", refused: null, failures: 0 }),
  );
  expect(words({ phase: "offline", sid: "s", attempt: 5 })).toEqual(
    words({ phase: "offline", sid: "s", attempt: 0 }),
  );
});
