import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInRanges, isPublicAddress, LOOPBACK_RANGES, rangesOf } from "./address.ts";

describe("an address", () => {
  it.each([
    ...["8.8.8.8", "1.1.1.1", "93.184.216.34", "192.0.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1"],
    ...["198.17.255.255", "198.20.0.1", "223.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.1"],
    ...["2606:4700:4700::1111", "2a00:1450:4001::1", "2620:4f:8001::1", "2001:200::1"],
  ])("is public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254"],
    ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.8", "192.0.2.1"],
    ...["192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1"],
    ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1"],
    ...["::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1"],
    ...["2001:0:7f00:1::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "5f00::1"],
    ...["fc00::1", "fd00::1", "fe80::1", "fe80::1%eth0", "2606:4700::1%1", "febf::1", "fec0::1", "ff02::1"],
    ...["4000::1", "localhost", "", "1.2.3", "0x7f.1", "2130706433"],
  ])("is not public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("is never public as IPv4 in IPv6, whatever IPv4 it is", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom("::ffff:", "::", "64:ff9b::", "::ffff:0:"), (v4, prefix) => {
        expect(isPublicAddress(prefix + v4)).toBe(false);
      }),
    );
  });

  it("is judged the same by its bits, however it is written", () => {
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

  it("lies in ranges by number, not by text", () => {
    const loopback = rangesOf(LOOPBACK_RANGES);
    expect(isInRanges("127.9.9.9", loopback)).toBe(true);
    expect(isInRanges("0:0:0:0:0:0:0:1", loopback)).toBe(true);
    expect(isInRanges("128.0.0.1", loopback)).toBe(false);
    expect(isInRanges("localhost", loopback)).toBe(false);
    expect(isInRanges("127.0.0.1", rangesOf([]))).toBe(false);
    expect(isInRanges("fd12::1", rangesOf(["fd00::/8"]))).toBe(true);
  });
});
