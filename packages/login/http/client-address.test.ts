import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { anyCharacter } from "../../../tools/kit/any-character.ts";
import { getProcessState } from "../process/state.ts";
import {
  CLIENT_ADDRESS_HEADER,
  findClientNetwork,
  formatClientStamp,
  identifyClient,
  markRequestsAsStamped,
  readClientStamp,
  requireClient,
} from "./client-address.ts";

const SOCKET = "198.51.100.7";

describe("the client address for rate limits", () => {
  test("is the socket's address if no proxy is trusted, regardless of headers", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (claim) => {
        expect(identifyClient(SOCKET, claim, 0)).toBe(SOCKET);
      }),
    );
  });

  test("is the right-most entry behind one proxy, because clients can forge the others", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.ipV4())), (claims) => {
        const header = [...claims, "203.0.113.9"].join(", ");
        expect(identifyClient(SOCKET, header, 1)).toBe("203.0.113.9");
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
  ])("is the nth entry from the right behind n proxies: %i", (proxies, header, expected) => {
    expect(identifyClient(SOCKET, header, proxies)).toBe(expected);
  });

  test.each([undefined, "", "unknown", "203.0.113.9, ", "203.0.113.999", "_hidden", "<script>"])(
    "is the socket's address if the proxy's entry is not an IP address: %j",
    (header) => {
      expect(identifyClient(SOCKET, header, 1)).toBe(SOCKET);
    },
  );

  test("is found after forged entries of any length", () => {
    const claim = "198.51.100.7, ".repeat(1000);
    expect(identifyClient(SOCKET, `${claim}203.0.113.9`, 1)).toBe("203.0.113.9");
    expect(identifyClient(SOCKET, `203.0.113.9, ${claim}10.0.0.1`, 1002)).toBe(SOCKET);
  });

  test("is the socket's address if there are fewer entries than proxies", () => {
    expect(identifyClient(SOCKET, "203.0.113.9", 2)).toBe(SOCKET);
  });

  test.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["2001:db8:1:2::192.0.2.1", "2001:db8:1:2::/64"],
  ])("is the /64 of an IPv6 address: %s", (address, expected) => {
    expect(identifyClient(address, undefined, 0)).toBe(expected);
  });

  test.each([
    ["mapped", "::ffff:203.0.113.9"],
    ["mapped, in upper case", "::FFFF:203.0.113.9"],
    ["mapped, in hex", "::ffff:cb00:7109"],
    ["mapped, in upper-case hex", "::FFFF:CB00:7109"],
    ["mapped, expanded", "0:0:0:0:0:ffff:203.0.113.9"],
    ["mapped, expanded with every zero", "0000:0000:0000:0000:0000:FFFF:CB00:7109"],
    ["mapped, shortened elsewhere", "0::0:ffff:cb00:7109"],
    ["mapped, with a zone", "::ffff:cb00:7109%eth0"],
    ["translated", "64:ff9b::203.0.113.9"],
    ["translated, in hex", "64:FF9B::cb00:7109"],
    ["tunnelled", "2002:cb00:7109::1"],
    ["tunnelled, from another of its networks", "2002:cb00:7109:ffff:1:2:3:4"],
  ])("is the IPv4 address that an IPv6 address contains: %s", (_name, address) => {
    expect(identifyClient(address, undefined, 0)).toBe("203.0.113.9");
    expect(identifyClient(SOCKET, `[${address}]:5678`, 1)).toBe("203.0.113.9");
  });

  test("is the IPv4 address in any IPv6 address that contains one", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
        const inHex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        for (const address of [`::ffff:${ipv4}`, `::ffff:${inHex}`, `64:ff9b::${inHex}`, `2002:${inHex}::`]) {
          expect(identifyClient(address, undefined, 0)).toBe(ipv4);
        }
      }),
    );
  });

  test.each([
    ["::fffe:203.0.113.9", "0:0:0:0::/64"],
    ["::1:ffff:cb00:7109", "0:0:0:0::/64"],
    ["::203.0.113.9", "0:0:0:0::/64"],
    ["64:ff9b:1::203.0.113.9", "64:ff9b:1:0::/64"],
    ["64:ff9b::1:203.0.113.9", "64:ff9b:0:0::/64"],
    ["2001:0:cb00:7109::1", "2001:0:cb00:7109::/64"],
    ["2003:cb00:7109::1", "2003:cb00:7109:0::/64"],
  ])("is the /64 of an address that only seems to contain an IPv4 address: %s", (address, expected) => {
    expect(identifyClient(address, undefined, 0)).toBe(expected);
  });

  test("is the same for two spellings of the same IPv6 address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const spelling = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
        if (spelling) expect(identifyClient(spelling, "", 0)).toBe(identifyClient(address, "", 0));
      }),
    );
  });

  test("is a string for any input, without throwing", () => {
    const anything = fc.option(fc.string({ unit: anyCharacter }), { nil: undefined });
    fc.assert(
      fc.property(anything, anything, fc.nat(99_999), (socket, header, proxies) => {
        expect(identifyClient(socket, header, proxies)).toEqual(expect.any(String));
      }),
    );
  });
});

describe("the network of a client", () => {
  test.each([
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8:1:ffff::/64", "2001:db8:1::/48"],
    ["2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["0:0:0:0::/64", "0:0:0::/48"],
    ["203.0.113.9", null],
    ["unknown", null],
  ])("is derived from the client's address: %s is in %s", (client, network) => {
    expect(findClientNetwork(client)).toBe(network);
  });

  test("is the same for all 65,536 /64s of a /48, and different for any other /48", () => {
    const group = fc.nat(0xffff).map((value) => value.toString(16));
    const prefix = fc.tuple(fc.constant("2001"), group, group).map((groups) => groups.join(":"));
    fc.assert(
      fc.property(prefix, prefix, group, group, (one, other, a, b) => {
        const network = (address: string) => findClientNetwork(identifyClient(address, undefined, 0));
        expect(network(`${one}:${a}::1`)).toBe(network(`${one}:${b}::2`));
        if (one !== other) expect(network(`${one}:${a}::1`)).not.toBe(network(`${other}:${a}::1`));
      }),
    );
  });
});

test("accepts a client stamp in the gate's header only if this process created it", () => {
  expect(readClientStamp(formatClientStamp("203.0.113.9"))).toBe("203.0.113.9");
  expect(readClientStamp(formatClientStamp("2001:db8::/64"))).toBe("2001:db8::/64");
  for (const header of [null, "", "203.0.113.9", "guess 203.0.113.9", formatClientStamp("")]) {
    expect(readClientStamp(header)).toBeNull();
  }
});

describe("a request without the gate's client stamp", () => {
  const thrown = (headers: Record<string, string> = {}) => {
    try {
      return requireClient({ headers: new Headers(headers) });
    } catch (error) {
      return error;
    }
  };
  const STARTING = { status: 503, code: "service_unavailable", headers: { "Retry-After": "1" } };
  const UNKNOWN = { status: 400, code: "invalid_request" };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    delete getProcessState()["client-stamp"];
  });
  afterEach(() => {
    vi.useRealTimers();
    delete getProcessState()["client-stamp"];
  });

  test("is refused with 503 before the gate stamps requests", () => {
    expect(thrown({ host: "shop.example" })).toMatchObject(STARTING);
    expect(thrown()).toMatchObject(STARTING);
  });

  test("is refused with 400 once the gate stamps requests", () => {
    markRequestsAsStamped();
    expect(thrown()).toMatchObject(UNKNOWN);
    expect(
      thrown({ [CLIENT_ADDRESS_HEADER]: "203.0.113.9", "x-forwarded-for": "203.0.113.9" }),
    ).toMatchObject(UNKNOWN);
  });

  test("is refused with 503 if it might have arrived before the gate stamped requests", () => {
    markRequestsAsStamped();
    vi.advanceTimersByTime(11_000);
    expect(thrown({ host: "shop.example" })).toMatchObject(STARTING);
    vi.advanceTimersByTime(2_000);
    expect(thrown({ host: "shop.example" })).toMatchObject(UNKNOWN);
  });
});
