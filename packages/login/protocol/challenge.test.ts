import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../tools/kit/any-character.ts";
import { ACTIONS, formatChallenge, isAction, parseChallenge } from "./challenge.ts";

const NONCE = "0123456789abcdefghijABCDEFGHIJxy";
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const challenge = fc.record({
  action: fc.constantFrom(...ACTIONS),
  domain: fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join(".")),
  timestamp: fc.integer({ min: 0, max: 253_402_300_799 }),
  nonce: fc.stringMatching(/^[A-Za-z0-9]{32}$/),
});

describe("a challenge string", () => {
  test("has the form that docs/protocol.md#11-challenge defines", () => {
    expect(
      formatChallenge({ action: "login", domain: "example.com", timestamp: 1700000000, nonce: NONCE }),
    ).toBe(`svc:login:example.com:1700000000:${NONCE}`);
  });

  test("is parsed into its original parts", () => {
    fc.assert(
      fc.property(challenge, (parts) => {
        expect(parseChallenge(formatChallenge(parts))).toEqual(parts);
      }),
    );
  });

  test("is parsed only if its text is exact", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom("svc", ":", "login", "register", "example.com", "17", NONCE, "\n"),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((parts) => parts.join("")),
          fc.string({ unit: anyCharacter }),
        ),
        (text) => {
          const parsed = parseChallenge(text);
          if (parsed) expect(formatChallenge(parsed)).toBe(text);
        },
      ),
    );
  });

  test("is invalid, or a different challenge, if it is changed in any way", () => {
    fc.assert(
      fc.property(challenge, fc.nat(), fc.string({ minLength: 1, maxLength: 2 }), (parts, at, piece) => {
        const text = formatChallenge(parts);
        const index = at % text.length;
        const changed = text.slice(0, index) + piece + text.slice(index + 1);
        if (changed !== text) expect(parseChallenge(changed)).not.toEqual(parts);
      }),
    );
  });

  test.each([
    "",
    `svc:delete:example.com:1:${NONCE}`,
    `SVC:login:example.com:1:${NONCE}`,
    `svc:login:Example.com:1:${NONCE}`,
    `svc:login:example.com.:1:${NONCE}`,
    `svc:login:-example.com:1:${NONCE}`,
    `svc:login::1:${NONCE}`,
    `svc:login:a..b:1:${NONCE}`,
    `svc:login:${"a".repeat(64)}:1:${NONCE}`,
    `svc:login:${"a.".repeat(130)}a:1:${NONCE}`,
    `svc:login:example.com:8080:1:${NONCE}`,
    `svc:login:exämple.com:1:${NONCE}`,
    `svc:login:example.com:01:${NONCE}`,
    `svc:login:example.com:-1:${NONCE}`,
    `svc:login:example.com:1.0:${NONCE}`,
    `svc:login:example.com:1e3:${NONCE}`,
    `svc:login:example.com:1:${NONCE}x`,
    `svc:login:example.com:1:${NONCE.slice(1)}`,
    `svc:login:example.com:1:${NONCE.slice(1)}-`,
    ` svc:login:example.com:1:${NONCE}`,
    `svc:login:example.com:1:${NONCE}\n`,
    `svc:login:example.com:1:${NONCE}:`,
  ])("is not valid: %j", (text) => {
    expect(parseChallenge(text)).toBeNull();
  });

  test("can name a domain of up to 253 characters", () => {
    const longest = `${"a.".repeat(126)}a`;
    expect(longest).toHaveLength(253);
    expect(parseChallenge(`svc:login:${longest}:1:${NONCE}`)).toMatchObject({ domain: longest });
    expect(parseChallenge(`svc:login:a${longest}:1:${NONCE}`)).toBeNull();
  });

  test("is refused if it is longer than the limit, by any amount", () => {
    expect(parseChallenge(`svc:login:${"a.".repeat(5_000_000)}:1:${NONCE}`)).toBeNull();
  });
});

test("accepts only two actions, with their exact names", () => {
  expect(["login", "register", "LOGIN", "", "toString", null, 1, ["login"]].map(isAction)).toEqual([
    ...[true, true],
    ...Array(6).fill(false),
  ]);
});
