import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../tools/kit/any-character.ts";
import {
  createBindingCookie,
  createExpiredBindingCookie,
  filterLoginCookies,
  listCookieChunkNames,
  readBindingSecret,
} from "./cookies.ts";

const SECRET = "s".repeat(43);
const HTTPS = new URL("https://login.example");
const HTTP = new URL("http://localhost:3000");
const OTHER_PORT = new URL("http://localhost:3421");

describe("the binding cookie", () => {
  test("is restricted to its exact host and to HTTPS on an HTTPS site", () => {
    const attributes = createBindingCookie(SECRET, HTTPS).split("; ");
    expect(attributes[0]).toBe(`__Host-svc-browser=${SECRET}`);
    expect(attributes.slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=600",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ]);
  });

  test("is found among other cookies", () => {
    for (const origin of [HTTPS, HTTP, OTHER_PORT]) {
      const pair = createBindingCookie(SECRET, origin).split(";")[0];
      expect(readBindingSecret(`a=b; ${pair};c`, origin)).toBe(SECRET);
    }
  });

  test.each([null, "", "svc-browser", "svc-browser=", `svc-browser=${SECRET}x`, `svc-browser=${SECRET}=`])(
    "is not found in a header without it: %j",
    (header) => expect(readBindingSecret(header, HTTP)).toBeNull(),
  );

  test("is ignored over HTTPS if it has its name for plain HTTP", () => {
    expect(readBindingSecret(`svc-browser=${SECRET}`, HTTPS)).toBeNull();
    expect(readBindingSecret(`__host-svc-browser=${SECRET}`, HTTPS)).toBeNull();
  });

  test.each(["\u00a0", "\u00a0 ", "\ufeff", "\u2003", "\v", "\f"])(
    "is not read from a name that a sibling host could set with a white-space prefix: %j",
    (space) => expect(readBindingSecret(`a=b; ${space}__Host-svc-browser=${SECRET}`, HTTPS)).toBeNull(),
  );

  test("is deleted with the same attributes with which it was set", () => {
    const set = createBindingCookie(SECRET, HTTPS).split("; ").toSorted();
    const expectedAttributes = createExpiredBindingCookie(HTTPS).split("; ").toSorted();
    expect(expectedAttributes).toEqual(
      set.map((part) => part.replace(SECRET, "").replace("Max-Age=600", "Max-Age=0")).toSorted(),
    );
  });

  test("is read from any header, but only if it is well-formed", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (value) => {
        for (const header of [value, `svc-browser=${value}`]) {
          expect(readBindingSecret(header, HTTP) ?? SECRET).toMatch(/^[A-Za-z0-9_-]{43}$/);
        }
      }),
    );
  });

  test.each([
    ["http://localhost:3000", "svc-browser"],
    ["http://localhost:3421", "port-3421-svc-browser"],
    ["http://login.lan", "port-80-svc-browser"],
    ["https://login.example:8443", "__Host-svc-browser"],
  ])("is named after this site's host and port: %s", (origin, name) => {
    expect(createBindingCookie(SECRET, new URL(origin))).toMatch(new RegExp(`^${name}=`));
  });

  test("is also read under its name in older versions if it is missing under the current name", () => {
    const currentCookie = `port-3421-svc-browser=${SECRET}`;
    expect(readBindingSecret(`svc-browser=${SECRET}`, OTHER_PORT)).toBe(SECRET);
    expect(readBindingSecret(`svc-browser=${"o".repeat(43)}; ${currentCookie}`, OTHER_PORT)).toBe(SECRET);
    expect(readBindingSecret(currentCookie, HTTP)).toBeNull();
  });
});

describe("the cookies that NextAuth reads", () => {
  test("are only those of the login itself, with their current names", () => {
    const cookieHeader = "next-auth.session-token=t; next-auth.session-token.0=a; next-auth.pkce=p; x=y";
    expect(filterLoginCookies(cookieHeader, OTHER_PORT)).toEqual({
      "port-3421-next-auth.session-token": "t",
    });
    expect(listCookieChunkNames(cookieHeader, "next-auth.session-token")).toEqual([
      "next-auth.session-token.0",
    ]);
    expect(listCookieChunkNames(cookieHeader, "port-3421-next-auth.session-token")).toEqual([]);
  });
});
