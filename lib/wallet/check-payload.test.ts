import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPayload, type Expectation, secondsLeft } from "./check-payload.ts";
import { challengeText, httpsForm, NOW, svcForm } from "./payload.fixture.ts";
import { type ChallengePayload, readPayload } from "./read-payload.ts";
import { WalletError } from "./wallet-error.ts";

const refusal = (code: string) => expect.objectContaining({ name: "WalletError", code });

function read(text: string): ChallengePayload {
  const payload = readPayload(text);
  if (payload.kind !== "challenge") throw new Error("expected a challenge");
  return payload;
}

function check(webhook: string, domain: string, expectation: Partial<Expectation> = {}): void {
  const payload = read(svcForm({ webhook, challenge: challengeText("login", domain) }));
  checkPayload(payload, { now: NOW, ...expectation });
}

describe("where the answer may go", () => {
  test.each([
    ["https://example.com/webhook/login", "example.com"],
    ["https://EXAMPLE.com:8443/x?y=1", "example.com"],
    ["http://localhost:3000/webhook/login", "localhost"],
    ["http://127.0.0.1:3000/webhook/login", "127.0.0.1"],
    ["http://shop.localhost/webhook/login", "shop.localhost"],
  ])("%s may answer for %s", (webhook, domain) => {
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
  ])("%s may not answer for %s", (webhook, domain) => {
    expect(() => check(webhook, domain)).toThrow(refusal("webhook_host"));
  });

  test("a hosted API may answer for other domains only when it is trusted, by its exact name", () => {
    const webhook = "https://api.example.net/webhook/sessions/1";
    expect(() => check(webhook, "example.com", { trustedHosts: ["api.example.net"] })).not.toThrow();
    for (const trustedHosts of [[], ["example.net"], ["*.example.net"], ["api.example.net.evil.example"]]) {
      expect(() => check(webhook, "example.com", { trustedHosts })).toThrow(refusal("webhook_host"));
    }
  });

  describe("for another domain", () => {
    const webhook = "https://api.svc.example/webhook/sessions/1";
    const named = (...hosts: string[]) => ({ delegation: { status: "ok", hosts } as const });

    test("where that domain names the host, exactly", () => {
      expect(() => check(webhook, "example.com", named("other.example", "api.svc.example"))).not.toThrow();
      for (const host of ["svc.example", "www.api.svc.example", "api.svc.example.evil.example"]) {
        expect(() => check(webhook, "example.com", named(host))).toThrow(refusal("webhook_host"));
        expect(() => check(webhook, "example.com", named(host))).toThrow("its file names other hosts");
      }
    });

    test("not before the domain was asked; by then everything else about the code is good", () => {
      const unasked = { delegation: null };
      expect(() => check(webhook, "example.com", unasked)).toThrow(refusal("delegation_unknown"));
      expect(() => check(webhook, "example.com", { ...unasked, now: NOW + 31 })).toThrow(
        refusal("challenge_expired"),
      );
      expect(() => check(webhook, "example.com", { ...unasked, action: "register" })).toThrow(
        refusal("wrong_action"),
      );
      expect(() => check("http://api.svc.example/", "example.com", unasked)).toThrow(
        refusal("webhook_not_https"),
      );
      expect(() => check("https://example.com/", "example.com", unasked)).not.toThrow();
      expect(() =>
        check(webhook, "example.com", { ...unasked, trustedHosts: ["api.svc.example"] }),
      ).not.toThrow();
    });

    test("not where its file fails: the refusal says why, and what the site has to publish where", () => {
      const delegation = { status: "missing", reason: "the answer has status 404 instead of 200" } as const;
      const failing = () => check(webhook, "example.com", { delegation });
      expect(failing).toThrow(refusal("webhook_host"));
      for (const part of [
        "the answer has status 404 instead of 200",
        '{"domain":"example.com","webhook_hosts":["api.svc.example"]}',
        "https://example.com/.well-known/svc-login",
      ]) {
        expect(failing).toThrow(part);
      }
    });

    test("never on this machine, whatever a site on the network names, and nobody is asked", () => {
      for (const host of ["localhost", "127.0.0.1", "a.localhost"]) {
        for (const delegation of [null, named(host).delegation]) {
          expect(() => check(`http://${host}:3000/`, "example.com", { delegation })).toThrow(
            refusal("webhook_host"),
          );
        }
      }
      expect(() => check("http://a.localhost:3000/", "b.localhost", named("a.localhost"))).not.toThrow();
    });

    test("over https all the same", () => {
      const clear = "http://api.svc.example/x";
      expect(() => check(clear, "example.com", named("api.svc.example"))).toThrow(
        refusal("webhook_not_https"),
      );
    });
  });

  test.each([
    ["http://example.com/", "example.com"],
    ["http://localhost.example.com/", "localhost.example.com"],
    ["http://127.0.0.1.example.com/", "127.0.0.1.example.com"],
    ["http://evillocalhost/", "evillocalhost"],
    ["http://192.168.1.10/", "192.168.1.10"],
  ])("%s is refused: clear text stays on this machine", (webhook, domain) => {
    expect(() => check(webhook, domain)).toThrow(refusal("webhook_not_https"));
    expect(() => check(webhook, "other.example", { trustedHosts: [new URL(webhook).hostname] })).toThrow(
      refusal("webhook_not_https"),
    );
  });

  test("the https form is held to the same rules", () => {
    const expectation = { now: NOW };
    expect(() => checkPayload(read(httpsForm()), expectation)).not.toThrow();
    expect(() => checkPayload(read(httpsForm("https://evil.example/x")), expectation)).toThrow(
      refusal("webhook_host"),
    );
    expect(() => checkPayload(read(httpsForm("http://example.com/x")), expectation)).toThrow(
      refusal("webhook_not_https"),
    );
  });

  test("whatever the payload says, an accepted one goes to the challenge's own host over https or loopback", () => {
    const host = fc.constantFrom(
      "example.com",
      "evil.example",
      "localhost",
      "127.0.0.1",
      "[::1]",
      "example.com.",
    );
    const authority = fc
      .tuple(
        fc.constantFrom("", "example.com@", "a:b@"),
        host,
        fc.constantFrom("", ":443", ":80", ".evil.example"),
      )
      .map((parts) => parts.join(""));
    const webhook = fc
      .tuple(
        fc.constantFrom("https://", "http://", "https:\\\\", "https:", "HTTPS://", "//"),
        authority,
        fc.oneof(fc.constantFrom("/webhook", "?x", "#y", "", "\\@example.com", "/%0a"), fc.webPath()),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(webhook, host, fc.boolean(), (address, domain, https) => {
        const challenge = challengeText("login", domain);
        const text = https ? httpsForm(address, "s", challenge) : svcForm({ webhook: address, challenge });
        try {
          const payload = read(text);
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

describe("when and for what", () => {
  const payload = read(svcForm());

  test("a challenge is answered until it is 30 seconds old", () => {
    expect(() => checkPayload(payload, { now: NOW + 30 })).not.toThrow();
    expect(() => checkPayload(payload, { now: NOW + 30.1 })).toThrow(refusal("challenge_expired"));
  });

  test("a clock that is 30 seconds behind is borne, no more", () => {
    expect(() => checkPayload(payload, { now: NOW - 30 })).not.toThrow();
    expect(() => checkPayload(payload, { now: NOW - 30.1 })).toThrow(refusal("challenge_from_future"));
  });

  test("a register code is no login code, nor the other way round", () => {
    const register = read(svcForm({ challenge: challengeText("register") }));
    expect(() => checkPayload(register, { now: NOW, action: "login" })).toThrow(refusal("wrong_action"));
    expect(() => checkPayload(payload, { now: NOW, action: "register" })).toThrow(refusal("wrong_action"));
    expect(() => checkPayload(register, { now: NOW, action: "register" })).not.toThrow();
    expect(() => checkPayload(register, { now: NOW })).not.toThrow();
  });

  test("the seconds left count down to none", () => {
    expect([0, 0.5, 29.5, 30, 99].map((age) => secondsLeft(payload, NOW + age))).toEqual([30, 30, 1, 0, 0]);
  });
});
