import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "#tools/kit/any-character.ts";
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
  ])("is stored as lower-case ASCII: %s", (text, expected) => {
    expect(parseHostname(text, "live")).toBe(expected);
    expect(parseHostname(expected, "live")).toBe(expected);
  });

  const words = (text: string) => text.split(" ");
  it.each([
    [
      "a text that contains more than a name",
      words("https://example.com example.com:443 example.com/ example.com?a example.com#a"),
    ],
    [
      "a wildcard, or a name that anyone may use",
      words("user@example.com *.example.com _svc-challenge.example.com"),
    ],
    ["white space", [" example.com", "example.com\n", ""]],
    ["a name with an empty label", words(". example.com.. .example.com a..com")],
    ["a label that begins or ends with a hyphen", words("-a.com a-.com")],
    ["a label of 64 characters", [`${"a".repeat(64)}.com`]],
    [
      "a name longer than 253 characters, in ASCII too",
      [`${"a.".repeat(125)}abcd`, `${"ü.".repeat(120)}com`],
    ],
    ["a public suffix, whichever rule lists it", words("co.uk github.io foo.ck 公司.cn CO.UK. com intranet")],
    ["a text that a browser decodes or shortens", words("ex%61mple.com exam\u00adple.com exam\u200dple.com")],
    [
      "a text that looks like other characters",
      words("ｅxample.com example。com ﬁsh.com example.com\u2215.evil.com"),
    ],
    ["a backslash", ["example.com\\evil.com"]],
    [
      "an IPv4 address, however it is written",
      words("192.0.2.1 2130706433 0x7f.0x1 0177.0.0.01 127.1 １２７.0.0.1 127.0.0.1."),
    ],
    ["a name whose last label is a number", ["example.123"]],
    ["IPv6", words("::1 [::1] [::ffff:127.0.0.1]")],
  ])("cannot be %s", (_what, texts) => {
    for (const text of texts) {
      expect(parseHostname(text, "live"), text).toBeNull();
      expect(parseHostname(text, "test"), text).toBeNull();
    }
  });

  it.each(["localhost", "shop.localhost", "shop.test", "LOCALHOST", "a.b.test."])(
    "can be a local name only in test mode: %s",
    (text) => {
      expect(parseHostname(text, "live")).toBeNull();
      const hostname = parseHostname(text, "test");
      expect(hostname).toBe(text.toLowerCase().replace(/\.$/, ""));
      expect(isLocalHostname(hostname ?? "")).toBe(true);
    },
  );

  it("is not local if it only resembles .test or .localhost", () => {
    expect(isLocalHostname("latest")).toBe(false);
    expect(isLocalHostname("mylocalhost")).toBe(false);
    expect(parseHostname("mylocalhost", "test")).toBeNull();
    expect(isLocalHostname("test.example.com")).toBe(false);
    expect(parseHostname("test", "test")).toBeNull();
  });

  it("is unchanged when it is parsed again, whatever the input", () => {
    const text = fc.oneof(
      fc.domain(),
      fc.webUrl(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.string({ unit: anyCharacter }),
      fc
        .array(fc.string({ unit: "grapheme", maxLength: 5 }), { maxLength: 4 })
        .map((labels) => labels.join(".")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom("live", "test"), (input, mode) => {
        const hostname = parseHostname(input, mode);
        if (hostname === null) return;
        expect(parseHostname(hostname, mode)).toBe(hostname);
        expect(hostname).toMatch(/^[a-z0-9.-]{1,253}$/);
        expect(hostname).not.toMatch(/^[\d.]+$/);
        expect(new URL(`https://${hostname}/`).hostname).toBe(hostname);
      }),
      { numRuns: 2000 },
    );
  });
});
