import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bindingSetCookie, expiredBindingSetCookie, readBindingSecret } from "./cookies.ts";

const SECRET = "s".repeat(43);

describe("the binding cookie", () => {
  test("is pinned to its very host, and to https, over https", () => {
    const attributes = bindingSetCookie(SECRET, true).split("; ");
    expect(attributes[0]).toBe(`__Host-svc-browser=${SECRET}`);
    expect(attributes.slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=600",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ]);
  });

  test("is read back among others", () => {
    for (const secure of [true, false]) {
      const pair = bindingSetCookie(SECRET, secure).split(";")[0];
      expect(readBindingSecret(`a=b; ${pair};c`, secure)).toBe(SECRET);
    }
  });

  test.each([null, "", "svc-browser", "svc-browser=", `svc-browser=${SECRET}x`, `svc-browser=${SECRET}=`])(
    "is not there: %j",
    (header) => expect(readBindingSecret(header, false)).toBeNull(),
  );

  test("of plain http is nothing over https, where a neighbour could have planted it", () => {
    expect(readBindingSecret(`svc-browser=${SECRET}`, true)).toBeNull();
    expect(readBindingSecret(`__host-svc-browser=${SECRET}`, true)).toBeNull();
  });

  test.each(["\u00a0", "\u00a0 ", "\ufeff", "\u2003", "\v", "\f"])(
    "is not what a browser takes for another name, which a neighbour may set: %j in front",
    (space) => expect(readBindingSecret(`a=b; ${space}__Host-svc-browser=${SECRET}`, true)).toBeNull(),
  );

  test("is taken away with the attributes that it was set with", () => {
    const set = bindingSetCookie(SECRET, true).split("; ").toSorted();
    const taken = expiredBindingSetCookie(true).split("; ").toSorted();
    expect(taken).toEqual(
      set.map((part) => part.replace(SECRET, "").replace("Max-Age=600", "Max-Age=0")).toSorted(),
    );
  });

  test("is read from any header without throwing, and only in its own shape", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        for (const header of [value, `svc-browser=${value}`]) {
          expect(readBindingSecret(header, false) ?? SECRET).toMatch(/^[A-Za-z0-9_-]{43}$/);
        }
      }),
    );
  });
});
