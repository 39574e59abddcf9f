import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPayload, type PayloadExpectation } from "./check-payload.ts";
import {
  createChallengeText,
  expectedWalletError,
  FAST_URL,
  formatHttpsPayload,
  formatSvcPayload,
  NOW,
} from "./payload.fixture.ts";
import { countSecondsLeft, readPayload } from "./read-payload.ts";
import { WalletError } from "./wallet-error.ts";

const checkText = (text: string, expectation: Partial<PayloadExpectation> = {}) =>
  checkPayload(readPayload(text), { now: NOW, ...expectation });
const check = (webhook: string, domain: string, expectation?: Partial<PayloadExpectation>) =>
  checkText(formatSvcPayload({ webhook, challenge: createChallengeText("login", domain) }), expectation);

describe("the host that receives the response", () => {
  test.each([
    ["https://example.com/webhook/login", "example.com"],
    ["https://EXAMPLE.com:8443/x?y=1", "example.com"],
    ["http://localhost:3000/webhook/login", "localhost"],
    ["http://127.0.0.1:3000/webhook/login", "127.0.0.1"],
    ["http://shop.localhost/webhook/login", "shop.localhost"],
  ])("can be the domain itself: %s for %s", (webhook, domain) => {
    expect(() => check(webhook, domain)).not.toThrow();
  });

  test.each([
    ["https://evil.example/", "example.com"],
    ["https://www.example.com/", "example.com"],
    ["https://example.com/", "www.example.com"],
    ["https://example.com.evil.example/", "example.com"],
    ["https://notexample.com/", "example.com"],
    ["http://localhost:3000/", "example.com"],
    ["http://127.0.0.1:3000/", "localhost"],
    ["http://localhost:3000/", "127.0.0.1"],
    ["http://[::1]:3000/", "localhost"],
    ["http://example.localhost/", "localhost"],
  ])("cannot be a different host: %s for %s", (webhook, domain) => {
    expect(() => check(webhook, domain)).toThrow(expectedWalletError("webhook_host"));
  });

  test("can be that of a trusted hosted API for other domains", () => {
    const webhook = "https://api.example.net/webhook/sessions/1";
    expect(() => check(webhook, "example.com", { trustedHosts: ["api.example.net"] })).not.toThrow();
    for (const trustedHosts of [[], ["example.net"], ["*.example.net"], ["api.example.net.evil.example"]]) {
      expect(() => check(webhook, "example.com", { trustedHosts })).toThrow(
        expectedWalletError("webhook_host"),
      );
    }
  });

  describe("for a different domain", () => {
    const webhook = "https://api.svc.example/webhook/sessions/1";
    const delegatedTo = (...hosts: string[]) => ({ delegation: { status: "ok", hosts } as const });

    test("is allowed if the domain's delegation file names exactly this host", () => {
      expect(() =>
        check(webhook, "example.com", delegatedTo("other.example", "api.svc.example")),
      ).not.toThrow();
      for (const host of ["svc.example", "www.api.svc.example", "api.svc.example.evil.example"]) {
        expect(() => check(webhook, "example.com", delegatedTo(host))).toThrow(
          expectedWalletError("webhook_host"),
        );
        expect(() => check(webhook, "example.com", delegatedTo(host))).toThrow("its file names other hosts");
      }
    });

    test.each<[string, string, Partial<PayloadExpectation>]>([
      ["delegation_unknown", webhook, {}],
      ["challenge_expired", webhook, { now: NOW + 31 }],
      ["wrong_action", webhook, { action: "register" }],
      ["webhook_not_https", "http://api.svc.example/", {}],
    ])("is looked up at the domain only if the code is otherwise valid: %s", (code, url, more) => {
      expect(() => check(url, "example.com", { delegation: null, ...more })).toThrow(
        expectedWalletError(code),
      );
    });

    test("is accepted without a request if it is the domain itself or a trusted host", () => {
      const trusting = { delegation: null, trustedHosts: ["api.svc.example"] };
      for (const url of ["https://example.com/", webhook])
        expect(() => check(url, "example.com", trusting)).not.toThrow();
    });

    test("is refused with a reason if the domain's delegation file is unusable", () => {
      const delegation = { status: "missing", reason: "the answer has status 404 instead of 200" } as const;
      const failing = () => check(webhook, "example.com", { delegation });
      expect(failing).toThrow(expectedWalletError("webhook_host"));
      for (const part of [
        "the answer has status 404 instead of 200",
        '{"domain":"example.com","webhook_hosts":["api.svc.example"]}',
        "https://example.com/.well-known/svc-login",
      ]) {
        expect(failing).toThrow(part);
      }
    });

    test("is never a loopback host for a site on the network", () => {
      for (const host of ["localhost", "127.0.0.1", "a.localhost"]) {
        for (const delegation of [null, delegatedTo(host).delegation]) {
          expect(() => check(`http://${host}:3000/`, "example.com", { delegation })).toThrow(
            expectedWalletError("webhook_host"),
          );
        }
      }
      expect(() =>
        check("http://a.localhost:3000/", "b.localhost", delegatedTo("a.localhost")),
      ).not.toThrow();
    });

    test("must still use HTTPS", () => {
      const naming = () => check("http://api.svc.example/x", "example.com", delegatedTo("api.svc.example"));
      expect(naming).toThrow(expectedWalletError("webhook_not_https"));
    });
  });

  test.each([
    "http://example.com/",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "http://evillocalhost/",
    "http://192.168.1.10/",
  ])("cannot be on the network over plain http: %s", (webhook) => {
    const { hostname } = new URL(webhook);
    for (const domain of [hostname, "other.example"]) {
      const checking = () => check(webhook, domain, { trustedHosts: [hostname] });
      expect(checking).toThrow(expectedWalletError("webhook_not_https"));
    }
  });

  test.each([
    ["https form", formatHttpsPayload(), formatHttpsPayload("http://example.com/x")],
    ["fast login", FAST_URL, FAST_URL.replace("https", "http")],
  ])("follows the same rules for the %s", (_, good, clear) => {
    expect(() => checkText(good)).not.toThrow();
    expect(() => checkText(clear)).toThrow(expectedWalletError("webhook_not_https"));
    expect(() => checkText(formatHttpsPayload("https://evil.example/x"))).toThrow(
      expectedWalletError("webhook_host"),
    );
  });

  test("is the challenge's own host over HTTPS, or loopback, for an accepted payload", () => {
    const host = fc.constantFrom(
      ..."example.com evil.example localhost 127.0.0.1 [::1] example.com.".split(" "),
    );
    const user = fc.constantFrom("", "example.com@", "a:b@");
    const port = fc.constantFrom("", ":443", ":80", ".evil.example");
    const scheme = fc.constantFrom("https://", "http://", "https:\\\\", "https:", "HTTPS://", "//");
    const path = fc.oneof(
      fc.constantFrom("/webhook", "?x", "#y", "", "\\@example.com", "/%0a"),
      fc.webPath(),
    );
    const webhook = fc.tuple(scheme, user, host, port, path).map((parts) => parts.join(""));
    fc.assert(
      fc.property(webhook, host, fc.boolean(), (address, domain, https) => {
        const challenge = createChallengeText("login", domain);
        const text = https
          ? formatHttpsPayload(address, "s", challenge)
          : formatSvcPayload({ webhook: address, challenge });
        try {
          const payload = readPayload(text);
          checkPayload(payload, { now: NOW });
          const url = new URL(payload.webhook);
          expect(url.hostname).toBe(domain);
          expect(url.username + url.password + url.hash).toBe("");
          if (url.protocol !== "https:") expect(["localhost", "127.0.0.1", "[::1]"]).toContain(url.hostname);
        } catch (error) {
          if (!(error instanceof WalletError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  [formatSvcPayload(), 30],
  [FAST_URL, 120],
])("answers %.24s… until it is %i seconds old", (text, life) => {
  for (const now of [NOW - 30, NOW + life]) expect(() => checkText(text, { now })).not.toThrow();
  expect(() => checkText(text, { now: NOW + life + 0.1 })).toThrow(expectedWalletError("challenge_expired"));
  expect(() => checkText(text, { now: NOW - 30.1 })).toThrow(expectedWalletError("challenge_from_future"));
});

test("does not accept a register code as a login code, or a login code as a register code", () => {
  const register = formatSvcPayload({ challenge: createChallengeText("register") });
  expect(() => checkText(register, { action: "login" })).toThrow(expectedWalletError("wrong_action"));
  expect(() => checkText(formatSvcPayload(), { action: "register" })).toThrow(
    expectedWalletError("wrong_action"),
  );
  expect(() => checkText(register, { action: "register" })).not.toThrow();
  expect(() => checkText(register)).not.toThrow();
});

test("counts the remaining seconds down to zero", () => {
  const seconds = [-5, 0, 0.5, 29.5, 30, 99].map((age) =>
    countSecondsLeft(readPayload(formatSvcPayload()), NOW + age),
  );
  expect(seconds).toEqual([30, 30, 30, 1, 0, 0]);
});
