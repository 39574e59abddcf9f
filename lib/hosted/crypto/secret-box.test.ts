import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSecret, sealSecret } from "./secret-box.ts";

const MASTER = "a master secret of the tests, long enough";

describe("a sealed secret", () => {
  it("can be opened by its owner", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, context) => {
        expect(openSecret(sealSecret(text, context, MASTER), context, [MASTER])).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it("cannot be opened for a different row or with a different master secret", () => {
    const box = sealSecret("whsec_x", "dom_a", MASTER);
    expect(openSecret(box, "dom_b", [MASTER])).toBeNull();
    expect(openSecret(box, "dom_a", [`${MASTER}!`])).toBeNull();
  });

  it("can be opened with the current and the previous master secret during a rotation", () => {
    const box = sealSecret("whsec_x", "dom_a", MASTER);
    expect(openSecret(box, "dom_a", [`${MASTER}!`, MASTER])).toBe("whsec_x");
    expect(openSecret(box, "dom_a", [])).toBeNull();
  });

  it("cannot be opened if it has been changed or truncated", () => {
    const box = sealSecret("whsec_x", "dom_a", MASTER);
    for (let bit = 0; bit < box.length * 8; bit++) {
      const changedBox = Uint8Array.from(box, (byte, at) =>
        at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte,
      );
      expect(openSecret(changedBox, "dom_a", [MASTER])).toBeNull();
    }
    for (let length = 0; length < box.length; length++) {
      expect(openSecret(box.subarray(0, length), "dom_a", [MASTER])).toBeNull();
    }
  });

  it("is sealed differently each time, and does not contain the plain text", () => {
    const boxes = Array.from({ length: 20 }, () => Buffer.from(sealSecret("whsec_visible", "dom_a", MASTER)));
    expect(new Set(boxes.map((box) => box.toString("hex"))).size).toBe(20);
    for (const box of boxes) expect(box.includes("visible")).toBe(false);
  });
});
