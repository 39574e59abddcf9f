import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { challengeText, httpsForm, NOW, PARTS, svcForm } from "./payload.fixture.ts";
import { MAX_PAYLOAD_CHARACTERS, readPayload } from "./read-payload.ts";
import { WalletError } from "./wallet-error.ts";

const refusal = (code: string) => expect.objectContaining({ name: "WalletError", code });

describe("the forms of a payload", () => {
  const expected = {
    kind: "challenge",
    webhook: PARTS.webhook,
    session: PARTS.session,
    challenge: { text: PARTS.challenge, action: "login", domain: "example.com", issuedAt: NOW },
    intent: null,
  };

  test("svc://auth with webhook, session, challenge and ts", () => {
    expect(readPayload(svcForm())).toEqual({ ...expected, form: "svc" });
  });

  test("web+svc://auth is the same, for a protocol handler", () => {
    expect(readPayload(`web+${svcForm()}`)).toEqual({ ...expected, form: "svc" });
  });

  test("white space around a pasted payload does not matter, nor does a missing ts", () => {
    const { ts: _, ...withoutTs } = PARTS;
    expect(readPayload(`\n ${svcForm()}\t`)).toEqual({ ...expected, form: "svc" });
    expect(readPayload(`svc://auth?${new URLSearchParams(withoutTs)}`)).toEqual({ ...expected, form: "svc" });
  });

  test("parameters that this wallet does not know are left alone", () => {
    expect(readPayload(`${svcForm()}&v=2`)).toEqual({ ...expected, form: "svc" });
  });

  test("the https form posts to its own address without s and c", () => {
    expect(readPayload(httpsForm())).toEqual({ ...expected, form: "https" });
    expect(readPayload(httpsForm("http://localhost:3000/webhook/login"))).toMatchObject({
      webhook: "http://localhost:3000/webhook/login",
    });
    expect(readPayload(`${httpsForm()}&tenant=a%2Bb`)).toMatchObject({
      webhook: `${PARTS.webhook}?tenant=a%2Bb`,
    });
  });

  test("fast login's URL is recognised and kept to the letter", () => {
    const url = "https://example.com/api/fastauth?sid=abc_1700000000&c=def_1700000000&t=6553f100";
    expect(readPayload(url)).toEqual({
      kind: "fast",
      url,
      sid: "abc_1700000000",
      token: "def_1700000000",
      issuedAt: NOW,
      intent: null,
    });
  });

  test.each(["approve", "add"])("intent=%s is read in every form, and stays in no webhook", (intent) => {
    const fast = `https://example.com/api/fastauth?sid=abc_1700000000&c=def_1700000000&t=6553f100&intent=${intent}`;
    expect(readPayload(`${svcForm()}&intent=${intent}`)).toEqual({ ...expected, form: "svc", intent });
    expect(readPayload(`${httpsForm()}&intent=${intent}`)).toEqual({ ...expected, form: "https", intent });
    expect(readPayload(fast)).toMatchObject({ url: fast, intent });
  });

  test("an intent that this wallet does not know is left alone", () => {
    expect(readPayload(`${svcForm()}&intent=Approve`)).toEqual({ ...expected, form: "svc" });
  });
});

describe("hostile payloads", () => {
  const bidi = "\u202e";
  test.each([
    ["nothing", "", "payload_characters"],
    ["another scheme", "javascript:alert(1)", "payload_unknown"],
    ["a host that looks like the scheme", "svc://auth.evil.example?x=1", "payload_unknown"],
    ["another verb", svcForm().replace("auth", "pay"), "payload_unknown"],
    ["a web page", "https://example.com/", "payload_unknown"],
    ["an https form that could be both flows", `${httpsForm()}&sid=a&t=5f`, "payload_unknown"],
    ["an overlong payload", svcForm({ session: "a".repeat(MAX_PAYLOAD_CHARACTERS) }), "payload_too_long"],
    ["overlong white space", " ".repeat(MAX_PAYLOAD_CHARACTERS + 1), "payload_too_long"],
    ["a control character", svcForm().replace("auth", "au\u0000th"), "payload_characters"],
    ["a line break inside", svcForm().replace("&", "\n&"), "payload_characters"],
    ["a bidi override", svcForm().replace("&", `${bidi}&`), "payload_characters"],
    ["a zero-width joiner", svcForm().replace("&", "\u200d&"), "payload_characters"],
    ["a lone surrogate", svcForm().replace("&", "\ud800&"), "payload_characters"],
    ["a backslash", svcForm().replace("svc://", "svc:\\\\"), "payload_characters"],
    ["an encoded bidi override", svcForm({ session: `a${bidi}b` }), "payload_parameters"],
    ["an encoded line break", svcForm({ session: "a\r\nb" }), "payload_parameters"],
    ["an encoded NUL", svcForm({ session: "a\0" }), "payload_parameters"],
    ["broken percent-encoding", svcForm().replace("session=", "session=%E0%A4%A"), "payload_parameters"],
    ["no webhook", svcForm({ webhook: "" }), "payload_parameters"],
    ["no session", svcForm({ session: "" }), "payload_parameters"],
    ["no challenge", svcForm({ challenge: "" }), "payload_parameters"],
    ["a second webhook", `${svcForm()}&webhook=https%3A%2F%2Fevil.example%2F`, "payload_parameters"],
    ["a second challenge in the https form", `${httpsForm()}&c=x`, "payload_parameters"],
    ["a parameter with an encoded name", `${svcForm()}&%77ebhook=x`, "payload_parameters"],
    ["two intents", `${svcForm()}&intent=add&intent=approve`, "payload_parameters"],
    [
      "a new account that passes for an approval",
      `${svcForm({ challenge: challengeText("register") })}&intent=approve`,
      "payload_parameters",
    ],
    ["an empty ts", svcForm({ ts: "" }), "timestamp_mismatch"],
    ["another ts", svcForm({ ts: String(NOW + 1) }), "timestamp_mismatch"],
    ["the same ts in other digits", svcForm({ ts: `0${NOW}` }), "timestamp_mismatch"],
    ["fast auth with a broken time", "https://example.com/f?sid=a_1&c=b_1&t=xyz", "payload_parameters"],
    ["fast auth without a challenge", "https://example.com/f?sid=a_1&t=5f", "payload_parameters"],
  ])("%s is refused", (_, payload, code) => {
    expect(() => readPayload(payload)).toThrow(refusal(code));
  });

  test.each([
    "ftp://example.com/",
    "//example.com/",
    "example.com/webhook",
    "https:example.com",
    "https:/example.com/",
    "https:///example.com/",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://example.com@evil.example/",
    "https://example.com%2eevil.example/",
    "https://ex%61mple.com/",
    "https://example.com\\@evil.example/",
    "https://example.com./",
    "https://example.com:99999/",
    "https://example.com:/x",
    "https://example.com#@evil.example/",
    "https://example.com/#fragment",
    "https://[::ffff:127.0.0.1]/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://127.1/",
    "https://.example.com/",
    "https://xn--/",
  ])("the webhook %s is refused", (webhook) => {
    expect(() => readPayload(svcForm({ webhook }))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(webhook_malformed|payload_parameters)$/) }),
    );
  });

  test.each([
    challengeText("pay"),
    challengeText("LOGIN"),
    challengeText("login", "Example.com"),
    challengeText("login", "example.com."),
    challengeText("login", "exa_mple.com"),
    challengeText("login", "example.com:443"),
    challengeText("login", ""),
    challengeText("login", "bücher.example"),
    challengeText("login", `${"a".repeat(64)}.example`),
    challengeText("login", "example.com", "1e9"),
    challengeText("login", "example.com", "-1"),
    challengeText("login", "example.com", "01700000000"),
    challengeText("login", "example.com", "1700000000.5"),
    challengeText("login", "example.com", ""),
    `${challengeText()}a`,
    challengeText().slice(0, -1),
    challengeText().replace("xy", "-_"),
    ` ${challengeText()}`,
    challengeText().replace("svc", "SVC"),
    `Sign in to example.com\n${challengeText()}`,
  ])("the challenge %j is refused", (challenge) => {
    expect(() => readPayload(svcForm({ challenge, ts: String(NOW) }))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(challenge_malformed|payload_parameters)$/) }),
    );
  });

  test("any text at all is read or refused with the wallet's own error", () => {
    const pieces = fc.constantFrom(
      "svc://auth?",
      "web+",
      "https://",
      "webhook=",
      "challenge=",
      "%",
      "&",
      "=",
      "s=",
    );
    const text = fc.oneof(fc.string({ unit: "binary" }), pieces, fc.constant(svcForm()), fc.webUrl());
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (parts) => {
        try {
          readPayload(parts.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(WalletError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
