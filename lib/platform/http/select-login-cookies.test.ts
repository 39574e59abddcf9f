import fc from "fast-check";
import { expect, test } from "vitest";
import { selectLoginCookies } from "./select-login-cookies.ts";

const HTTP = new URL("http://localhost:3000");
const HTTPS = new URL("https://login.example");

test("keeps the login's own cookies with their HTTP or HTTPS names", () => {
  expect(selectLoginCookies("a=1; svc-browser=x=y; next-auth.csrf-token=z%7C1", HTTP)).toBe(
    "svc-browser=x=y; next-auth.csrf-token=z%7C1",
  );
  expect(selectLoginCookies("svc-browser=x; __Host-svc-browser=y", HTTPS)).toBe("__Host-svc-browser=y");
  expect(selectLoginCookies("__Host-svc-browser=y;svc-browser=x", HTTP)).toBe("svc-browser=x");
});

test("keeps cookies from this port and from older versions, and drops those from other ports", () => {
  const cookieHeader = "port-3421-svc-browser=x; svc-browser=y; port-3410-svc-browser=z";
  expect(selectLoginCookies(cookieHeader, new URL("http://localhost:3421"))).toBe(
    "port-3421-svc-browser=x; svc-browser=y",
  );
});

test("keeps the documentation's language cookie over HTTP and HTTPS", () => {
  for (const origin of [HTTP, HTTPS]) {
    expect(selectLoginCookies("svc-docs-language=python; x=y", origin)).toBe("svc-docs-language=python");
  }
});

test("keeps the cookie for dismissed changes only with the name that no other host can set", () => {
  expect(selectLoginCookies("svc-seen=1; __Host-svc-seen=2", HTTPS)).toBe("__Host-svc-seen=2");
  expect(selectLoginCookies("svc-seen=1; __Host-svc-seen=2", HTTP)).toBe("svc-seen=1");
});

test("keeps the first of two cookies with the same name", () => {
  expect(selectLoginCookies("svc-browser=planted; svc-browser=own", HTTP)).toBe("svc-browser=planted");
});

test.each(["\u00a0", "\ufeff", "\u2003", "\v"])(
  "drops a cookie whose name begins with white space, which hides the prefix from the browser: %j",
  (space) => {
    expect(selectLoginCookies(`a=b; ${space}__Host-svc-browser=planted`, HTTPS)).toBeUndefined();
    expect(selectLoginCookies(`${space}__Host-svc-browser=planted; \t__Host-svc-browser=own `, HTTPS)).toBe(
      "__Host-svc-browser=own",
    );
  },
);

test("drops the parts of a token that is split over several cookies", () => {
  const parts = Array.from({ length: 400 }, (_, index) => `next-auth.session-token.${index}=x`);
  expect(selectLoginCookies(parts.join("; "), HTTP)).toBeUndefined();
});

test("keeps only the login's own cookies from any header, and at most one of each name", () => {
  const name = fc.oneof(
    fc.constantFrom("svc-browser", "next-auth.session-token", "SVC-BROWSER", "", " ", "__Host-svc-browser"),
    fc.string({ maxLength: 3 }),
  );
  const header = fc
    .array(fc.tuple(name, fc.constantFrom("=", "", "=="), fc.string({ maxLength: 5 })))
    .map((pairs) => pairs.map((pair) => pair.join("")).join(";"));
  fc.assert(
    fc.property(header, (text) => {
      const names = selectLoginCookies(text, HTTP)
        ?.split("; ")
        .map((pair) => pair.slice(0, pair.indexOf("=")).trim());
      expect(new Set(names).size).toBe(names?.length ?? 0);
      for (const name of names ?? []) expect(["svc-browser", "next-auth.session-token"]).toContain(name);
    }),
  );
});
