import { describe, expect, test } from "vitest";
import { findRequestFault } from "./check-request.ts";

const of = (url: string, rawHeaders: string[] = []) => findRequestFault({ url, rawHeaders })?.code;

describe("a request", () => {
  test("is refused if its target is longer than 4,096 bytes, with or without a query", () => {
    expect(of(`/${"a".repeat(4095)}`)).toBeUndefined();
    expect(of(`/${"a".repeat(4096)}`)).toBe("uri_too_long");
    expect(of(`/login?${"a".repeat(4089)}`)).toBeUndefined();
    expect(of(`/login?${"a".repeat(4090)}`)).toBe("uri_too_long");
  });

  test("is refused if its query has more than 64 fields", () => {
    expect(of(`/login?${"a=b&".repeat(64)}`)).toBeUndefined();
    expect(of(`/login?${"a=b&".repeat(65)}`)).toBe("invalid_request");
    expect(of(`/login?${"&".repeat(1000)}`)).toBeUndefined();
    expect(of(`/login?${"&a".repeat(65)}`)).toBe("invalid_request");
    expect(of(`/login?x?${"a&".repeat(65)}`)).toBe("invalid_request");
    expect(of(`/login${"&a".repeat(65)}`)).toBeUndefined();
  });

  test("is refused if its headers exceed 16 KB, in one line or in many", () => {
    // The header's length as sent: name, colon, space, value and line break.
    const name = "X-Large";
    const room = 16_384 - name.length - 4;
    expect(of("/", [name, "x".repeat(room)])).toBeUndefined();
    expect(of("/", [name, "x".repeat(room + 1)])).toBe("headers_too_large");
    expect(of("/", ["x".repeat(16_381), ""])).toBe("headers_too_large");
    expect(of("/", Array<string>(2 * 3_000).fill("a"))).toBe("headers_too_large");
  });

  test("is refused if it has more than 128 header lines of any size", () => {
    expect(of("/", Array<string>(2 * 128).fill("a"))).toBeUndefined();
    expect(of("/", Array<string>(2 * 129).fill("a"))).toBe("headers_too_large");
  });

  test("is refused because of its target before its headers are checked", () => {
    const large = ["a", "x".repeat(20_000)];
    expect(of(`/?${"a&".repeat(7500)}`, large)).toBe("uri_too_long");
    expect(of(`/?${"a&".repeat(100)}`, large)).toBe("headers_too_large");
  });
});
