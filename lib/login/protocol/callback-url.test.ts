import { expect, test } from "vitest";
import { readCallbackUrl, withCallbackUrl } from "./paths.ts";

test("a callback of this origin is kept from page to page", () => {
  expect(readCallbackUrl("/orders/17?tab=2")).toBe("/orders/17?tab=2");
  expect(withCallbackUrl("/register", "/orders/17?tab=2")).toBe(
    "/register?callbackUrl=%2Forders%2F17%3Ftab%3D2",
  );
});

test.each([undefined, "", ["/a", "/b"], "https://evil.example/", "//evil.example", "/\\evil.example"])(
  "%j is no callback",
  (value) => {
    expect(readCallbackUrl(value)).toBeNull();
    expect(withCallbackUrl("/login", readCallbackUrl(value))).toBe("/login");
  },
);
