import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { browserCookie, expiredBrowserCookie, keepOwnCookies, readBrowserCookie } from "./cookies.ts";

const SECRET = "s".repeat(43);

describe("the browser's cookie (contract 3)", () => {
  test("is pinned to its very host, and to https, over https", () => {
    const attributes = browserCookie(SECRET, true).split("; ");
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
      const pair = browserCookie(SECRET, secure).split(";")[0];
      expect(readBrowserCookie(`a=b; ${pair};c`, secure)).toBe(SECRET);
    }
  });

  test.each([null, "", "svc-browser", "svc-browser=", `svc-browser=${SECRET}x`, `svc-browser=${SECRET}=`])(
    "is not there: %j",
    (header) => expect(readBrowserCookie(header, false)).toBeNull(),
  );

  test("of plain http is nothing over https, where a neighbour could have planted it", () => {
    expect(readBrowserCookie(`svc-browser=${SECRET}`, true)).toBeNull();
    expect(readBrowserCookie(`__host-svc-browser=${SECRET}`, true)).toBeNull();
  });

  test.each(["\u00a0", "\u00a0 ", "\ufeff", "\u2003", "\v", "\f"])(
    "is not what a browser takes for another name, which a neighbour may set: %j in front",
    (space) => expect(readBrowserCookie(`a=b; ${space}__Host-svc-browser=${SECRET}`, true)).toBeNull(),
  );

  test("is taken away with the attributes that it was set with", () => {
    const set = browserCookie(SECRET, true).split("; ").toSorted();
    const taken = expiredBrowserCookie(true).split("; ").toSorted();
    expect(taken).toEqual(
      set.map((part) => part.replace(SECRET, "").replace("Max-Age=600", "Max-Age=0")).toSorted(),
    );
  });

  test("is read from any header without throwing, and only in its own shape", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        for (const header of [value, `svc-browser=${value}`]) {
          expect(readBrowserCookie(header, false) ?? SECRET).toMatch(/^[A-Za-z0-9_-]{43}$/);
        }
      }),
    );
  });
});

test("our own cookies are kept, by their name over http or https", () => {
  expect(keepOwnCookies("a=1; svc-browser=x=y; next-auth.csrf-token=z%7C1", false)).toBe(
    "svc-browser=x=y; next-auth.csrf-token=z%7C1",
  );
  expect(keepOwnCookies("svc-browser=x; __Host-svc-browser=y", true)).toBe("__Host-svc-browser=y");
  expect(keepOwnCookies("__Host-svc-browser=y;svc-browser=x", false)).toBe("svc-browser=x");
});

test("of two with one name the first, as everything that reads them has it", () => {
  expect(keepOwnCookies("svc-browser=planted; svc-browser=own", false)).toBe("svc-browser=planted");
});

test.each(["\u00a0", "\ufeff", "\u2003", "\v"])("none whose prefix %j hid from the browser", (space) => {
  expect(keepOwnCookies(`a=b; ${space}__Host-svc-browser=planted`, true)).toBeUndefined();
  expect(keepOwnCookies(`${space}__Host-svc-browser=planted; \t__Host-svc-browser=own `, true)).toBe(
    "__Host-svc-browser=own",
  );
});

test("no part of a split token is one of ours", () => {
  const parts = Array.from({ length: 400 }, (_, index) => `next-auth.session-token.${index}=x`);
  expect(keepOwnCookies(parts.join("; "), false)).toBeUndefined();
});

test("whatever is sent, nothing else is kept, and never more than there are names", () => {
  const name = fc.oneof(
    fc.constantFrom("svc-browser", "next-auth.session-token", "SVC-BROWSER", "", " ", "__Host-svc-browser"),
    fc.string({ maxLength: 3 }),
  );
  const header = fc
    .array(fc.tuple(name, fc.constantFrom("=", "", "=="), fc.string({ maxLength: 5 })))
    .map((pairs) => pairs.map((pair) => pair.join("")).join(";"));
  fc.assert(
    fc.property(header, (text) => {
      const names = keepOwnCookies(text, false)
        ?.split("; ")
        .map((pair) => pair.slice(0, pair.indexOf("=")).trim());
      expect(new Set(names).size).toBe(names?.length ?? 0);
      for (const each of names ?? []) expect(["svc-browser", "next-auth.session-token"]).toContain(each);
    }),
  );
});
