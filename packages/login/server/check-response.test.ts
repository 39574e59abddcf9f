import { expect, test } from "vitest";
import { checkResponse } from "./check-response.ts";

const ISSUED = new Date("2030-01-02T03:04:05.678Z");
const foundChallenge = { sid: "s", issuedAt: ISSUED, used: false };
/** In milliseconds. */
const at = (age: number, lifetimeSeconds = 30, showedOther = false) => ({
  now: new Date(ISSUED.getTime() + age),
  lifetimeSeconds,
  showedOther,
});

test("accepts a response until its challenge is 30 s old, to the millisecond", () => {
  expect(checkResponse(foundChallenge, true, at(0))).toBeNull();
  expect(checkResponse(foundChallenge, true, at(29_999))).toBeNull();
  expect(checkResponse(foundChallenge, true, at(30_000))).toBe("challenge_expired");
  expect(checkResponse(foundChallenge, true, at(30_001))).toBe("challenge_expired");
});

test("applies each flow's own time limit to responses", () => {
  expect(checkResponse(foundChallenge, true, at(119_999, 120))).toBeNull();
  expect(checkResponse(foundChallenge, true, at(120_000, 120))).toBe("challenge_expired");
});

test("reports the first error that applies: used, expired, invalid signature, different intent", () => {
  const usedChallenge = { ...foundChallenge, used: true };
  expect(checkResponse(usedChallenge, false, at(30_000))).toBe("challenge_used");
  expect(checkResponse(usedChallenge, true, at(0))).toBe("challenge_used");
  expect(checkResponse(foundChallenge, false, at(30_000))).toBe("challenge_expired");
  expect(checkResponse(foundChallenge, false, at(0, 30, true))).toBe("invalid_signature");
  expect(checkResponse(foundChallenge, true, at(0, 30, true))).toBe("intent_mismatch");
});
