import { expect, test } from "vitest";
import type { DeliveryItem } from "#lib/hosted/contract/event.ts";
import { buildTimeline, sessionState } from "./session-timeline.tsx";

const iso = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

const EVENT: DeliveryItem = {
  id: "msg_1",
  domain_id: "dom_1",
  session_id: "s",
  event: "login",
  url: "https://shop.example/events",
  status: "delivered",
  created_at: iso(200),
  delivered_at: iso(900),
  next_attempt_at: null,
  // Newest first, as in the API's response.
  attempts: [
    { at: iso(900), status: 204, error: null, latency_ms: 7, answer: null },
    { at: iso(250), status: null, error: "timed out", latency_ms: 15_000, answer: null },
  ],
};

test("lists a login's entries, event and delivery attempts once each, in chronological order", () => {
  const items = buildTimeline(
    [
      { id: "1", at: iso(0), kind: "issued", reason: null },
      { id: "2", at: iso(100), kind: "refused", reason: "invalid_signature" },
      { id: "3", at: iso(200), kind: "delivered", reason: null },
      { id: "4", at: iso(2000), kind: "undone", reason: null },
    ],
    [EVENT],
  );
  expect(items.map(({ what, tone }) => `${tone}: ${what}`)).toEqual([
    "neutral: Challenge issued",
    "danger: A wallet’s answer was refused",
    "success: A wallet’s answer was accepted, and the login is authenticated",
    "neutral: Event recorded",
    "danger: Event sent but not accepted",
    "success: Event delivered",
    "danger: Undone by the wallet’s user",
  ]);
  expect(items[1]?.detail).toContain("406");
  expect(items[4]?.detail).toBe("No answer in 15000 ms from https://shop.example/events: timed out");
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
});

test("distinguishes a waiting session from one whose code has expired", () => {
  const expires_at = iso(1);
  expect(sessionState({ status: "pending", expires_at }, Date.parse(iso(0)))).toBe("pending");
  expect(sessionState({ status: "pending", expires_at }, Date.parse(iso(1)))).toBe("expired");
  expect(sessionState({ status: "authenticated", expires_at }, Date.parse(iso(2)))).toBe("authenticated");
});
