import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutboundPolicy, LOOPBACK_RANGES } from "#lib/platform/net/outbound-policy.ts";
import { parseWebhookUrl } from "./webhook-url.ts";

const any = createOutboundPolicy(LOOPBACK_RANGES, []);
const loopback = { ...any, internalHosts: "loopback" } as const;
const check = (text: string, policy = createOutboundPolicy([], [])) => {
  const read = parseWebhookUrl(text, policy);
  return "url" in read ? read.url.href : { wrong: read.wrong };
};
const label63 = "a".repeat(63);
const name253 = `${label63}.${label63}.${label63}.${"b".repeat(57)}.com`;

describe("a webhook URL (docs/protocol.md#55-webhook-urls)", () => {
  it.each([
    ["https://example.com", "https://example.com/"],
    ["https://hooks.example.com/events?a=b", "https://hooks.example.com/events?a=b"],
    ["https://example.com?a=b", "https://example.com/?a=b"],
    ["HTTPS://Hooks.EXAMPLE.com/Events", "https://hooks.example.com/Events"],
    ["https://example.com:2/", "https://example.com:2/"],
    ["https://example.com:443/", "https://example.com/"],
    ["https://example.com:8443/", "https://example.com:8443/"],
    ["https://example.com:65535/", "https://example.com:65535/"],
    ["https://shop.example/hook", "https://shop.example/hook"],
    ["https://example.net/", "https://example.net/"],
    ["https://münchen.de/ä", "https://xn--mnchen-3ya.de/%C3%A4"],
    ["https://xn--mnchen-3ya.de/", "https://xn--mnchen-3ya.de/"],
    ["https://XN--MNCHEN-3YA.DE/", "https://xn--mnchen-3ya.de/"],
    ["https://foo.github.io/", "https://foo.github.io/"],
    ["https://a.co.uk/", "https://a.co.uk/"],
    ["https://r3---sn-4g5e.example.com/", "https://r3---sn-4g5e.example.com/"],
    ["https://localhost.example.com/", "https://localhost.example.com/"],
    ["https://test.internal.example.com/", "https://test.internal.example.com/"],
    [`https://${label63}.example.com/`, `https://${label63}.example.com/`],
    [`https://${name253}/`, `https://${name253}/`],
    [`https://example.com/${"a".repeat(2048 - 20)}`, `https://example.com/${"a".repeat(2048 - 20)}`],
  ])("can be %s", (text, href) => {
    expect(check(text)).toBe(href);
  });

  const at = (hosts: string) => hosts.split(" ").map((host) => `https://${host}/`);
  const withPort = (ports: string) => ports.split(" ").map((port) => `https://example.com:${port}/`);
  const REFUSED: [string, RegExp, string[]][] = [
    ["a relative URL", /absolute URL/, ["", "/events", "events", "//example.com/", "example.com", "https:"]],
    [
      "a malformed URL, or one of another scheme",
      /absolute URL/,
      "https:/example.com/ https:example.com https:///example.com/ ftp://example.com/ file:///etc".split(" "),
    ],
    [
      "with backslashes, white space or control characters",
      /absolute URL/,
      [
        "https://example.com\\@evil.com/",
        " https://example.com/",
        "https://exa\tmple.com/",
        "https://a.com/\0",
      ],
    ],
    ["plain http", /https/, ["http://example.com/", "HTTP://example.com:8080/"]],
    ["with user info", /user name/, at("u@example.com u:p@example.com @example.com :@example.com")],
    ["with a fragment", /fragment/, at("example.com/# example.com/#a example.com#a")],
    [
      "with a malformed port",
      /port/,
      ["https://example.com:/", ...withPort("0 00 65536 99999 100000 -1 a 8080x 0x50 1e3 443:443 ８０")],
    ],
    [
      "with a port that browsers block",
      /browsers block/,
      withPort("1 22 25 101 465 587 993 2049 5060 6000 6667 6679 10080"),
    ],
    [
      "whose host is not a name",
      /valid host name/,
      [
        ...at("* .. . a..b.example.com .example.com example.com. *.example.com a*b.example.com"),
        ...at("-a.example.com a-.example.com a_b.example.com exa%6dple.com %20 a!b.example.com"),
        ...at("xn--.com xn--a.com xn--zzzzzz99.com xn--99999999.com a.xn--0.com example.123 1.2.3.4.5"),
        ...at("ｅxample.com example。com exam\u00adple.com exam\u200dple.com example.com\u2215a"),
        ...at(`${"a".repeat(64)}.example.com ${name253}m a.${name253}`),
      ],
    ],
    [
      "whose host is an IP address, however it is written",
      /instead of an address/,
      [
        ...at("8.8.8.8 127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 169.254.169.254 10.1"),
        ...at("[::1] [2606:4700:4700::1111] [::ffff:127.0.0.1]"),
      ],
    ],
    ["with a host of one label", /two labels/, at("hooks com xn--p1ai")],
    [
      "under a suffix for special use",
      /not public/,
      [
        ...at(
          "localhost a.localhost metadata.google.internal printer.local shop.test a.invalid a.b.c.internal",
        ),
        ...at(
          "x.onion home.arpa router.home.arpa 4.3.2.1.in-addr.arpa nas.lan dc.corp tv.home PRINTER.LOCAL",
        ),
        ...at("smtp.mail wiki.intranet db.private a.alt localhost.localdomain pc.workgroup"),
      ],
    ],
    [
      "under a suffix below which names cannot be registered",
      /public suffix list has no/,
      at("kubernetes.default.svc hooks.prod.acme name.eth a.zz example.con a.b.xn--e28h com.svc x.i2p"),
    ],
    ["at a public suffix itself", /public suffix/, at("co.uk github.io foo.ck com.au 公司.cn CO.UK")],
    [
      "longer than 2,048 characters",
      /2,048/,
      at(`example.com/${"a".repeat(2048)} example.com/${"ä".repeat(1000)}`),
    ],
  ];
  it.each(REFUSED)("is refused with a reason: %s", (_what, wrong, texts) => {
    for (const text of texts)
      expect({ text, ...Object(check(text)) }).toEqual({ text, wrong: expect.stringMatching(wrong) });
  });

  it("can point to a loopback host in demo mode, and to explicitly allowed private networks", () => {
    const machine = "http://localhost:4000/e https://a.localhost/ http://127.0.0.1:4000/ http://[::1]/";
    for (const text of machine.split(" ")) {
      expect(check(text)).toHaveProperty("wrong");
      expect(check(text, loopback)).toBe(new URL(text).href);
      expect(check(text, any)).toBe(new URL(text).href);
    }
    const inner =
      "https://hooks/ http://wiki.corp:8080/ https://db.internal/ https://shop.test/e http://evillocalhost/";
    for (const text of inner.split(" ")) {
      expect(check(text, loopback)).toHaveProperty("wrong");
      expect(check(text, any)).toBe(new URL(text).href);
    }
    for (const text of at("co.uk kubernetes.default.svc hooks:6000 a..b * hooks:0 u@hooks")) {
      for (const policy of [loopback, any]) expect(check(text, policy)).toHaveProperty("wrong");
    }
  });

  // Implements the protocol's rules independently of the tested code.
  it("is accepted if and only if the protocol allows it, for any text", () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/);
    const host = fc.oneof(
      fc.domain(),
      fc
        .array(fc.oneof(label, fc.constantFrom("", "*", "_a", "-", "xn--a", "local")), { maxLength: 5 })
        .map((all) => all.join(".")),
      fc.constantFrom("a.local", "co.uk", "example.com", "shop.example", "8.8.8.8", "localhost", "a.svc"),
      fc.string({ unit: "grapheme", maxLength: 12 }),
    );
    const port = fc.oneof(
      fc.constant(""),
      fc.integer({ min: 0, max: 70_000 }).map((n) => `:${n}`),
      fc.constantFrom(":22", ":25", ":6000", ":6667"),
    );
    const path = fc.oneof(
      fc.webPath(),
      fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => `/${text}`),
    );
    const scheme = fc.constantFrom("https://", "http://", "https:/", "HTTPS://", "ftp://", "");
    fc.assert(
      fc.property(scheme, host, port, path, (...parts) => {
        const href = check(parts.join(""));
        if (typeof href !== "string") return;
        const url = new URL(href);
        const labels = url.hostname.split(".");
        expect(url.protocol).toBe("https:");
        expect(url.username + url.password + url.hash).toBe("");
        expect(href.length).toBeLessThanOrEqual(2048);
        expect(labels.length).toBeGreaterThan(1);
        expect(url.hostname.length).toBeLessThanOrEqual(253);
        for (const part of labels) expect(part).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
        expect(labels.at(-1)).toMatch(/[a-z-]/);
        expect(["local", "localhost", "internal", "test", "svc"]).not.toContain(labels.at(-1));
        expect(["0", "22", "25", "6000", "6667"]).not.toContain(url.port);
        expect(check(href)).toBe(href);
      }),
      { numRuns: 3000 },
    );
  });

  it("can have any public name, port and path", () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9]{0,61}[a-z0-9])?$/);
    const suffix = fc.constantFrom("com", "de", "co.uk", "museum", "xn--p1ai", "github.io", "example");
    const name = fc.tuple(label, suffix).map((parts) => parts.join("."));
    // The highest port that browsers block is 10080.
    const port = fc.oneof(
      fc.constantFrom(80, 443, 3000, 8080, 8443),
      fc.integer({ min: 10_081, max: 65_535 }),
    );
    fc.assert(
      fc.property(name, port, fc.webPath({ size: "small" }), (host, number, path) => {
        expect(check(`https://x.${host}:${number}${path}`)).toBe(
          new URL(`https://x.${host}:${number}${path}`).href,
        );
      }),
      { numRuns: 1000 },
    );
  });
});
