import { describe, expect, test, vi } from "vitest";
import { answerChallenge } from "./answer-challenge.ts";
import { answerFast } from "./answer-fast.ts";
import { NOW, svcForm } from "./payload.fixture.ts";
import { readPayload } from "./read-payload.ts";
import { seedFromPhrase } from "./seed.ts";

/** A code that ended between the approval and the signature: the question was in time, the answer is not. */

const seed = await seedFromPhrase(`${"abandon ".repeat(11)}about`);
const device = { platform: "web", version: "1", installation: "00".repeat(16) };
const fastUrl = `https://example.com/api/fastauth?sid=${"a".repeat(32)}_${NOW}&c=${"b".repeat(32)}_${NOW}&t=${NOW.toString(16)}`;

/** What the service would have been sent. */
function listener() {
  const fetch = vi.fn(async () => Response.json({ status: "authenticated" }));
  return { fetch, wait: async () => {} };
}

describe("a code that ended after it was approved", () => {
  test("of a domain is not signed, nor is anything sent, and the seed is wiped", async () => {
    const payload = readPayload(svcForm());
    if (payload.kind !== "challenge") throw new Error("not a challenge");
    const answer = (at: number, given: Uint8Array, surroundings = listener()) =>
      answerChallenge(payload, { seed: given, account: 0, device }, {}, { ...surroundings, now: () => at });
    await expect(answer(NOW + 29, seed.slice())).resolves.toMatchObject({ ok: true });
    for (const at of [NOW + 31, NOW + 3600, NOW - 31]) {
      const [late, given] = [listener(), seed.slice()];
      await expect(answer(at, given, late)).rejects.toMatchObject({
        code: at > NOW ? "challenge_expired" : "challenge_from_future",
      });
      expect(late.fetch).not.toHaveBeenCalled();
      expect(given.every((byte) => byte === 0)).toBe(true);
    }
  });

  test("of fast login is not signed, nor is anything sent, and the seed is wiped", async () => {
    const payload = readPayload(fastUrl);
    if (payload.kind !== "fast") throw new Error("not a code of fast login");
    const answer = (at: number, given: Uint8Array, surroundings = listener()) =>
      answerFast(payload, { seed: given, account: 0, type: "p2wpkh" }, { ...surroundings, now: () => at });
    await expect(answer(NOW + 119, seed.slice())).resolves.toMatchObject({ ok: true });
    for (const at of [NOW + 121, NOW + 3600, NOW - 31]) {
      const [late, given] = [listener(), seed.slice()];
      await expect(answer(at, given, late)).rejects.toMatchObject({
        code: at > NOW ? "challenge_expired" : "challenge_from_future",
      });
      expect(late.fetch).not.toHaveBeenCalled();
      expect(given.every((byte) => byte === 0)).toBe(true);
    }
  });
});
