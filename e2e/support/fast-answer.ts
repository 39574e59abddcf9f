import { expect } from "vitest";

/** The answers of the webhook, each with the words that it begins with. */
export const FAST_ANSWERS = {
  authenticated: [200, "successfully authenticated"],
  noChallenge: [400, "no challenge found"],
  notVerified: [401, "could not verify"],
} as const;

/** Holds an answer to plain text with these words, which nobody may keep. */
export async function expectFastAnswer(
  response: Response,
  [status, text]: readonly [number, string],
): Promise<void> {
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("cache-control")).toContain("no-store");
}
