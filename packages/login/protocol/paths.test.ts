import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../tools/kit/any-character.ts";
import { readCallbackUrl, sameOriginPath, withCallbackUrl } from "./paths.ts";

const ORIGIN = "https://login.example.com";
const FALLBACK = "/dashboard";

describe("a path for a redirect", () => {
  test.each(["/", "/dashboard", "/dashboard?tab=1", "/a/b#c", "/apiary", "/a?next=https://x.example/"])(
    "is accepted: %s",
    (path) => {
      expect(sameOriginPath(path, FALLBACK)).toBe(path);
    },
  );

  test.each([
    null,
    undefined,
    "",
    "dashboard",
    "?a",
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\u0000/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/%2e//evil.example",
    "/a/..//evil.example",
    "javascript:alert(1)",
    "/api/auth/signout",
    "/./api/auth/signout",
    `/${"a".repeat(2048)}`,
  ])("is replaced: %j", (path) => {
    expect(sameOriginPath(path, FALLBACK)).toBe(FALLBACK);
  });

  test("never leads to another origin, whatever the input is", () => {
    const pieces = fc.constantFrom(
      ...["/", "\\", ".", "..", "\t", "\n", "\r", " ", ":", "@", "?", "#", "%2f", "%5c", "%2e", "%09", "%00"],
      ...[
        "https:",
        "javascript:",
        "evil.example",
        "login.example.com",
        "\u2028",
        "\u3002",
        "\uff0f",
        "\ud800",
      ],
    );
    const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: anyCharacter, maxLength: 3 })), {
      maxLength: 12,
    });
    const text = fc.oneof(
      hostile.map((parts) => parts.join("")),
      hostile.map((parts) => `/${parts.join("")}`),
    );
    fc.assert(
      fc.property(text, (value) => {
        const path = sameOriginPath(value, FALLBACK);
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
        // Both the page and NextAuth call this function, so applying it twice must not change the result.
        expect(sameOriginPath(path, FALLBACK)).toBe(path);
      }),
      { numRuns: 5_000 },
    );
  });
});

test("passes the callback URL from page to page if it is on this site", () => {
  expect(readCallbackUrl("/orders/17?tab=2")).toBe("/orders/17?tab=2");
  expect(withCallbackUrl("/register", "/orders/17?tab=2")).toBe(
    "/register?callbackUrl=%2Forders%2F17%3Ftab%3D2",
  );
});

test.each([undefined, "", ["/a", "/b"], "https://evil.example/", "//evil.example", "/\\evil.example"])(
  "ignores a callback URL that is not a path on this site: %j",
  (value) => {
    expect(readCallbackUrl(value)).toBeNull();
    expect(withCallbackUrl("/login", readCallbackUrl(value))).toBe("/login");
  },
);
