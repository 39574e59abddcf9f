import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLocalHostname, parseHostname } from "./hostname.ts";

describe("a hostname", () => {
  it.each([
    ["example.com", "example.com"],
    ["Login.Example.COM", "login.example.com"],
    ["example.com.", "example.com"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["MÜNCHEN.de", "xn--mnchen-3ya.de"],
    ["mu\u0308nchen.de", "xn--mnchen-3ya.de"],
    ["faß.de", "xn--fa-hia.de"],
    ["кириллица.рф", "xn--80apaahia1b8c.xn--p1ai"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["foo.github.io", "foo.github.io"],
    ["a.b.co.uk", "a.b.co.uk"],
    ["city.kawasaki.jp", "city.kawasaki.jp"],
    ["login.corp.internal", "login.corp.internal"],
    ["4chan.org", "4chan.org"],
    [`${"a".repeat(63)}.com`, `${"a".repeat(63)}.com`],
  ])("is stored lower-case ASCII: %s", (text, expected) => {
    expect(parseHostname(text, "live")).toBe(expected);
    expect(parseHostname(expected, "live")).toBe(expected);
  });

  it.each([
    ["a scheme", "https://example.com"],
    ["a port", "example.com:443"],
    ["a path", "example.com/"],
    ["a query", "example.com?a"],
    ["a fragment", "example.com#a"],
    ["user information", "user@example.com"],
    ["a wildcard", "*.example.com"],
    ["an underscore", "_svc-challenge.example.com"],
    ["white space", " example.com"],
    ["a line end", "example.com\n"],
    ["nothing", ""],
    ["a dot", "."],
    ["two trailing dots", "example.com.."],
    ["a leading dot", ".example.com"],
    ["an empty label", "a..com"],
    ["a label that begins with a hyphen", "-a.com"],
    ["a label that ends with one", "a-.com"],
    ["a label of 64 characters", `${"a".repeat(64)}.com`],
    ["254 characters", `${"a.".repeat(125)}abcd`],
    ["an international name longer than 253 in ASCII", `${"ü.".repeat(120)}com`],
    ["a public suffix", "co.uk"],
    ["a private one", "github.io"],
    ["a public suffix by a wildcard rule", "foo.ck"],
    ["an international public suffix", "公司.cn"],
    ["a public suffix with a trailing dot", "CO.UK."],
    ["a top-level domain", "com"],
    ["a single label", "intranet"],
    ["percent-encoding", "ex%61mple.com"],
    ["full-width letters", "ｅxample.com"],
    ["an ideographic full stop", "example。com"],
    ["an invisible character", "exam\u00adple.com"],
    ["a zero-width joiner", "exam\u200dple.com"],
    ["a ligature", "ﬁsh.com"],
    ["a slash look-alike", "example.com\u2215.evil.com"],
    ["a backslash", "example.com\\evil.com"],
    ["IPv4", "192.0.2.1"],
    ["IPv4, decimal", "2130706433"],
    ["IPv4, hex", "0x7f.0x1"],
    ["IPv4, octal", "0177.0.0.01"],
    ["IPv4, short", "127.1"],
    ["IPv4, full-width digits", "１２７.0.0.1"],
    ["IPv4 with a trailing dot", "127.0.0.1."],
    ["a number for a last label", "example.123"],
    ["IPv6", "::1"],
    ["IPv6 in brackets", "[::1]"],
    ["IPv4 in IPv6", "[::ffff:127.0.0.1]"],
  ])("is not %s", (_what, text) => {
    expect(parseHostname(text, "live")).toBeNull();
    expect(parseHostname(text, "test")).toBeNull();
  });

  it.each(["localhost", "shop.localhost", "shop.test", "LOCALHOST", "a.b.test."])(
    "may be the local name %s in test mode only",
    (text) => {
      expect(parseHostname(text, "live")).toBeNull();
      const hostname = parseHostname(text, "test");
      expect(hostname).toBe(text.toLowerCase().replace(/\.$/, ""));
      expect(isLocalHostname(hostname ?? "")).toBe(true);
    },
  );

  it("is not .test or .localhost by look only", () => {
    expect(isLocalHostname("latest")).toBe(false);
    expect(isLocalHostname("mylocalhost")).toBe(false);
    expect(parseHostname("mylocalhost", "test")).toBeNull();
    expect(isLocalHostname("test.example.com")).toBe(false);
    expect(parseHostname("test", "test")).toBeNull();
  });

  it("is read as itself once it was read, whatever was given", () => {
    const text = fc.oneof(
      fc.domain(),
      fc.webUrl(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.string({ unit: "binary" }),
      fc
        .array(fc.string({ unit: "grapheme", maxLength: 5 }), { maxLength: 4 })
        .map((labels) => labels.join(".")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom("live", "test"), (given, mode) => {
        const hostname = parseHostname(given, mode);
        if (hostname === null) return;
        expect(parseHostname(hostname, mode)).toBe(hostname);
        expect(hostname).toMatch(/^[a-z0-9.-]{1,253}$/);
        expect(hostname).not.toMatch(/^[\d.]+$/);
        expect(new URL(`https://${hostname}/`).hostname).toBe(hostname);
      }),
      { numRuns: 2000 },
    );
  });

  it("is never an IPv4 address in any spelling", () => {
    fc.assert(
      fc.property(fc.ipV4Extended(), (address) => {
        expect(parseHostname(address, "test")).toBeNull();
      }),
    );
  });
});
