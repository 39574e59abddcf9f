import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const SOCKET = "198.51.100.7";

describe("the address that limits count by", () => {
  test("is the socket's when no proxy is trusted, whatever a header claims", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (claim) => {
        expect(clientAddress(SOCKET, claim, 0)).toBe(SOCKET);
      }),
    );
  });

  test("is the right-most entry behind one proxy: what stands left of it is the client's own claim", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.ipV4())), (claims) => {
        const header = [...claims, "203.0.113.9"].join(", ");
        expect(clientAddress(SOCKET, header, 1)).toBe("203.0.113.9");
      }),
    );
  });

  test.each([
    [2, "192.0.2.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"],
    [3, "192.0.2.1, 203.0.113.9, 10.0.0.1", "192.0.2.1"],
    [1, "192.0.2.1,203.0.113.9", "203.0.113.9"],
    [1, " 203.0.113.9 ", "203.0.113.9"],
    [1, "203.0.113.9:5678", "203.0.113.9"],
    [1, "[2001:db8:1:2::1]:5678", "2001:db8:1:2::/64"],
  ])("is the %ith entry from the right behind as many proxies", (proxies, header, expected) => {
    expect(clientAddress(SOCKET, header, proxies)).toBe(expected);
  });

  test.each([undefined, "", "unknown", "203.0.113.9, ", "203.0.113.999", "_hidden", "<script>"])(
    "is the socket's when the proxy's entry is no address: %j",
    (header) => {
      expect(clientAddress(SOCKET, header, 1)).toBe(SOCKET);
    },
  );

  test("is the socket's when there are fewer entries than proxies", () => {
    expect(clientAddress(SOCKET, "203.0.113.9", 2)).toBe(SOCKET);
  });

  test.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["2001:db8:1:2::192.0.2.1", "2001:db8:1:2::/64"],
  ])("of IPv6 is its /64: %s", (address, expected) => {
    expect(clientAddress(address, undefined, 0)).toBe(expected);
  });

  test.each(["::ffff:203.0.113.9", "::FFFF:203.0.113.9"])("of IPv4 in IPv6 is IPv4: %s", (address) => {
    expect(clientAddress(address, undefined, 0)).toBe("203.0.113.9");
  });

  test("is the same for two spellings of one IPv6 address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const spelling = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
        if (spelling) expect(clientAddress(spelling, "", 0)).toBe(clientAddress(address, "", 0));
      }),
    );
  });

  test("is some text, whatever comes, and never throws", () => {
    const anything = fc.option(fc.string({ unit: "binary" }), { nil: undefined });
    fc.assert(
      fc.property(anything, anything, fc.nat(99_999), (socket, header, proxies) => {
        expect(clientAddress(socket, header, proxies)).toEqual(expect.any(String));
      }),
    );
  });
});
