import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  assertAddressesAllowed,
  createOutboundPolicy,
  isBlockedPort,
  isInRanges,
  isPublicAddress,
  LOOPBACK_RANGES,
  NO_PUBLIC_ADDRESS_MESSAGE,
  OutboundRefusal,
  parseOutboundUrl,
  parseRanges,
} from "./outbound-policy.ts";

describe("an IP address", () => {
  it.each([
    ...["8.8.8.8", "1.1.1.1", "93.184.216.34", "192.0.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1"],
    ...["198.17.255.255", "198.20.0.1", "223.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.1"],
    ...["2606:4700:4700::1111", "2a00:1450:4001::1", "2620:4f:8001::1", "2001:200::1"],
  ])("is public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254"],
    ...[
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.1",
      "192.0.0.8",
      "192.0.2.1",
      "192.88.99.1",
    ],
    ...["192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1"],
    ...["239.255.255.255", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1"],
    ...["::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1"],
    ...["2001:0:7f00:1::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "5f00::1"],
    ...["fc00::1", "fd00::1", "fe80::1", "fe80::1%eth0", "2606:4700::1%1", "febf::1", "fec0::1", "ff02::1"],
    ...["4000::1", "localhost", "", "1.2.3", "0x7f.1", "2130706433"],
  ])("is not public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("is not public if it is an IPv4 address in IPv6 form", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom("::ffff:", "::", "64:ff9b::", "::ffff:0:"), (v4, prefix) => {
        expect(isPublicAddress(prefix + v4)).toBe(false);
      }),
    );
  });

  it("is classified in the same way in every notation", () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, (parts) => {
        const long = parts.map((part) => part.toString(16).padStart(4, "0")).join(":");
        const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
        expect(isPublicAddress(long.toUpperCase())).toBe(isPublicAddress(short));
        expect(isPublicAddress(long)).toBe(isPublicAddress(short));
      }),
    );
  });

  it("is compared with IP ranges as a number, not as text", () => {
    const loopback = parseRanges(LOOPBACK_RANGES);
    expect(isInRanges("127.9.9.9", loopback)).toBe(true);
    expect(isInRanges("0:0:0:0:0:0:0:1", loopback)).toBe(true);
    expect(isInRanges("128.0.0.1", loopback)).toBe(false);
    expect(isInRanges("localhost", loopback)).toBe(false);
    expect(isInRanges("127.0.0.1", parseRanges([]))).toBe(false);
    expect(isInRanges("fd12::1", parseRanges(["fd00::/8"]))).toBe(true);
  });
});

const strict = createOutboundPolicy([], []);
const loopback = createOutboundPolicy(["127.0.0.0/8", "::1/128"], []);

describe("an outbound URL", () => {
  it.each([
    "https://example.com/hook",
    "https://example.com:8443/hook?a=b",
    "https://8.8.8.8/hook",
    "https://[2606:4700:4700::1111]/",
    "HTTPS://EXAMPLE.COM/",
  ])("can be %s", (text) => {
    expect(parseOutboundUrl(text, strict).protocol).toBe("https:");
  });

  it.each([
    ["plain http", "http://example.com/"],
    ["another scheme", "ftp://example.com/"],
    ["a file", "file:///etc/passwd"],
    ["code", "javascript:alert(1)"],
    ["a path", "/hook"],
    ["no host", "https:///hook"],
    ["one slash", "https:/example.com/hook"],
    ["backslashes", "https:\\\\example.com\\hook"],
    ["a user name", "https://user@example.com/"],
    ["a password", "https://user:pw@example.com/"],
    ["a host behind a user name", "https://example.com@127.0.0.1/"],
    ["a fragment", "https://example.com/#a"],
    ["an empty fragment", "https://example.com/#"],
    ["more than 2,048 characters", `https://example.com/${"a".repeat(2048)}`],
    ["a port out of range", "https://example.com:99999/"],
    ["nothing", ""],
    ["a zone", "https://[fe80::1%25eth0]/"],
  ])("cannot be %s", (_what, text) => {
    expect(() => parseOutboundUrl(text, strict)).toThrow(OutboundRefusal);
  });

  it.each([
    ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1"],
    ...["017700000001", "0x7F.1", "127.000.000.001", "127.0.0.1.", "１２７.0.0.1", "127。0。0。1"],
    ...["%31%32%37.0.0.1", "0", "0.0.0.0", "10.1", "0xa9fea9fe", "169.254.169.254"],
    ...["192.168.257", "172.16.1", "100.64.1"],
    ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "[::127.0.0.1]"],
    ...["[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[fd00::1]", "[fe80::1]"],
  ])("is refused if its host is a private or loopback address in any spelling: %s", (host) => {
    expect(() => parseOutboundUrl(`https://${host}/`, strict)).toThrow(OutboundRefusal);
    expect(() => parseOutboundUrl(`https://${host}:8443/x`, strict)).toThrow(OutboundRefusal);
  });

  it("is refused if its host is a loopback address in any spelling", () => {
    const spell = fc.constantFrom(
      (part: number) => String(part),
      (part: number) => `0x${part.toString(16)}`,
      (part: number) => `0X${part.toString(16).toUpperCase()}`,
      (part: number) => `0${part.toString(8)}`,
      (part: number) => `0x000${part.toString(16)}`,
    );
    const tail = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        tail,
        tail,
        tail,
        fc.array(spell, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        (b, c, d, spells, count) => {
          const bytes = [127, b, c, d];
          const last = bytes.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0);
          const parts = [...bytes.slice(0, count - 1), last];
          const host = parts.map((part, index) => spells[index]?.(part)).join(".");
          expect(() => parseOutboundUrl(`https://${host}/`, strict)).toThrow(OutboundRefusal);
          expect(parseOutboundUrl(`http://${host}/`, loopback).hostname).toMatch(/^127\./);
        },
      ),
    );
  });

  it("can use HTTP only if the operator allows it", () => {
    expect(parseOutboundUrl("http://127.0.0.1:8080/x", loopback).port).toBe("8080");
    expect(parseOutboundUrl("http://[::1]:8080/x", loopback).port).toBe("8080");
    expect(() => parseOutboundUrl("http://8.8.8.8/x", loopback)).toThrow(OutboundRefusal);
    // Over plain HTTP, a request could contain a message in another protocol. TLS prevents this.
    expect(() => parseOutboundUrl("http://127.0.0.1:6379/", loopback)).toThrow("another protocol");
    expect(parseOutboundUrl("https://example.com:6379/", loopback).port).toBe("6379");
    // Browsers block this port for every scheme. If such a URL was stored before this rule existed, its next attempt is
    // refused.
    expect(() => parseOutboundUrl("https://example.com:6000/", strict)).toThrow("another protocol");
    expect(() => parseOutboundUrl("http://10.0.0.1/x", loopback)).toThrow(OutboundRefusal);
    expect(() => parseOutboundUrl("https://10.0.0.1/x", loopback)).toThrow(OutboundRefusal);
  });

  it("is refused if one of its IP addresses is not public", () => {
    const url = new URL("https://example.com/");
    expect(() => assertAddressesAllowed(url, ["8.8.8.8", "10.0.0.1"], strict)).toThrow(
      NO_PUBLIC_ADDRESS_MESSAGE,
    );
    expect(() => assertAddressesAllowed(url, ["::ffff:127.0.0.1"], strict)).toThrow(OutboundRefusal);
    expect(() => assertAddressesAllowed(url, ["8.8.8.8", "127.0.0.1"], loopback)).not.toThrow();
    expect(() =>
      assertAddressesAllowed(new URL("http://example.com/"), ["127.0.0.1", "8.8.8.8"], loopback),
    ).toThrow();
  });
});

/** The highest blocked port is far lower. */
const HIGHEST_ASKED = 11_000;

/** Sends no request. */
async function isBlocked(port: number): Promise<boolean> {
  const dispatcher = {
    dispatch() {
      throw new Error("would be sent");
    },
  };
  const init = { dispatcher } as unknown as RequestInit;
  const failure = await fetch(`http://127.0.0.1:${port}/`, init).catch((error: Error) => error.cause);
  return failure instanceof Error && failure.message === "bad port";
}

test("refuses exactly the ports that fetch blocks", async () => {
  const ports = Array.from({ length: HIGHEST_ASKED }, (_, at) => at + 1);
  const blocked: number[] = [];
  for (const port of ports) if (await isBlocked(port)) blocked.push(port);
  expect(blocked).toHaveLength(82);
  expect(ports.filter(isBlockedPort)).toEqual(blocked);
});
