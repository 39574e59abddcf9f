import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../tools/kit/any-character.ts";
import {
  createChallengeText,
  expectedWalletError,
  FAST_URL,
  formatHttpsPayload,
  formatSvcPayload,
  NOW,
  PAYLOAD_PARTS,
} from "./payload.fixture.ts";
import { MAX_PAYLOAD_CHARACTERS, readPayload } from "./read-payload.ts";
import { WalletError } from "./wallet-error.ts";

const LOGIN = {
  kind: "challenge",
  domain: "example.com",
  webhook: PAYLOAD_PARTS.webhook,
  session: PAYLOAD_PARTS.session,
  challenge: PAYLOAD_PARTS.challenge,
  signed: PAYLOAD_PARTS.challenge,
  action: "login",
  intent: null,
  purpose: "login",
  issuedAt: NOW,
  endsAt: NOW + 30,
};
const FAST = {
  ...LOGIN,
  kind: "fast",
  webhook: FAST_URL,
  session: "abc_1700000000",
  challenge: "def_1700000000",
  signed: FAST_URL,
  endsAt: NOW + 120,
};
const { ts: _, ...withoutTs } = PAYLOAD_PARTS;

test.each([
  ["svc://auth with webhook, session, challenge and ts", formatSvcPayload(), {}],
  ["web+svc://auth, for a protocol handler", `web+${formatSvcPayload()}`, {}],
  ["a pasted payload with white space around it", `\n ${formatSvcPayload()}\t`, {}],
  ["a payload without ts", `svc://auth?${new URLSearchParams(withoutTs)}`, {}],
  ["a payload with a parameter that this wallet does not recognise", `${formatSvcPayload()}&v=2`, {}],
  [
    "a payload with an intent that this wallet does not recognise",
    `${formatSvcPayload()}&intent=Approve`,
    {},
  ],
  ["the https form, which posts to its own URL without s and c", formatHttpsPayload(), {}],
  [
    "the https form on this machine",
    formatHttpsPayload("http://localhost/x"),
    { webhook: "http://localhost/x" },
  ],
  [
    "the https form with the webhook's own parameters",
    `${formatHttpsPayload()}&tenant=a%2Bb`,
    { webhook: `${PAYLOAD_PARTS.webhook}?tenant=a%2Bb` },
  ],
  ["fast login's URL, character for character", FAST_URL, FAST],
])("reads every accepted form of a payload: %s", (_, text, parts) => {
  expect(readPayload(text)).toEqual({ ...LOGIN, ...parts });
});

test.each(["approve", "add"])(
  "reads the intent in every form of a payload, and removes it from the webhook: %s",
  (intent) => {
    const [svc, https, fast] = [formatSvcPayload(), formatHttpsPayload(), FAST_URL].map((text) =>
      readPayload(`${text}&intent=${intent}`),
    );
    const url = `${FAST_URL}&intent=${intent}`;
    expect(svc).toEqual({ ...LOGIN, intent, purpose: intent });
    expect(https).toEqual(svc);
    expect(fast).toEqual({ ...FAST, webhook: url, signed: url, intent, purpose: intent });
  },
);

describe("hostile payloads", () => {
  const bidi = "\u202e";
  test.each([
    ["nothing", "", "payload_characters"],
    ["another scheme", "javascript:alert(1)", "payload_unknown"],
    ["a host that looks like the scheme", "svc://auth.evil.example?x=1", "payload_unknown"],
    ["another command", formatSvcPayload().replace("auth", "pay"), "payload_unknown"],
    ["a web page", "https://example.com/", "payload_unknown"],
    [
      "an https form that could belong to both flows",
      `${formatHttpsPayload()}&sid=a&t=5f`,
      "payload_unknown",
    ],
    [
      "an overlong payload",
      formatSvcPayload({ session: "a".repeat(MAX_PAYLOAD_CHARACTERS) }),
      "payload_too_long",
    ],
    ["overlong white space", " ".repeat(MAX_PAYLOAD_CHARACTERS + 1), "payload_too_long"],
    ["a control character", formatSvcPayload().replace("auth", "au\u0000th"), "payload_characters"],
    ["a line break inside", formatSvcPayload().replace("&", "\n&"), "payload_characters"],
    ["a bidi override", formatSvcPayload().replace("&", `${bidi}&`), "payload_characters"],
    ["a zero-width joiner", formatSvcPayload().replace("&", "\u200d&"), "payload_characters"],
    ["a lone surrogate", formatSvcPayload().replace("&", "\ud800&"), "payload_characters"],
    ["a backslash", formatSvcPayload().replace("svc://", "svc:\\\\"), "payload_characters"],
    ["an encoded bidi override", formatSvcPayload({ session: `a${bidi}b` }), "payload_parameters"],
    ["an encoded line break", formatSvcPayload({ session: "a\r\nb" }), "payload_parameters"],
    ["an encoded NUL", formatSvcPayload({ session: "a\0" }), "payload_parameters"],
    [
      "broken percent-encoding",
      formatSvcPayload().replace("session=", "session=%E0%A4%A"),
      "payload_parameters",
    ],
    ["no webhook", formatSvcPayload({ webhook: "" }), "payload_parameters"],
    ["no session", formatSvcPayload({ session: "" }), "payload_parameters"],
    ["no challenge", formatSvcPayload({ challenge: "" }), "payload_parameters"],
    ["a second webhook", `${formatSvcPayload()}&webhook=https%3A%2F%2Fevil.example%2F`, "payload_parameters"],
    ["a second challenge in the https form", `${formatHttpsPayload()}&c=x`, "payload_parameters"],
    ["a parameter with an encoded name", `${formatSvcPayload()}&%77ebhook=x`, "payload_parameters"],
    ["two intents", `${formatSvcPayload()}&intent=add&intent=approve`, "payload_parameters"],
    [
      "a registration that claims to be an approval",
      `${formatSvcPayload({ challenge: createChallengeText("register") })}&intent=approve`,
      "payload_parameters",
    ],
    ["an empty ts", formatSvcPayload({ ts: "" }), "timestamp_mismatch"],
    ["another ts", formatSvcPayload({ ts: String(NOW + 1) }), "timestamp_mismatch"],
    ["the same ts in other digits", formatSvcPayload({ ts: `0${NOW}` }), "timestamp_mismatch"],
    ["fast auth with a broken time", "https://example.com/f?sid=a_1&c=b_1&t=xyz", "payload_parameters"],
    ["fast auth without a challenge", "https://example.com/f?sid=a_1&t=5f", "payload_parameters"],
  ])("are refused: %s", (_, payload, code) => {
    expect(() => readPayload(payload)).toThrow(expectedWalletError(code));
  });

  test.each([
    ..."ftp://example.com/ //example.com/ example.com/webhook https:example.com https:/example.com/".split(
      " ",
    ),
    ..."https:///example.com/ https://user@example.com/ https://user:pass@example.com/".split(" "),
    ..."https://example.com@evil.example/ https://example.com%2eevil.example/ https://ex%61mple.com/".split(
      " ",
    ),
    ..."https://example.com\\@evil.example/ https://example.com./ https://example.com:99999/".split(" "),
    ..."https://example.com:/x https://example.com#@evil.example/ https://example.com/#fragment".split(" "),
    ..."https://[::ffff:127.0.0.1]/ http://0x7f.1/ http://2130706433/ http://127.1/".split(" "),
    ..."https://.example.com/ https://xn--/".split(" "),
  ])("are refused because of the webhook: %s", (webhook) => {
    expect(() => readPayload(formatSvcPayload({ webhook }))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(webhook_malformed|payload_parameters)$/) }),
    );
  });

  test.each([
    ...["pay", "LOGIN"].map((action) => createChallengeText(action)),
    ...["Example.com", "example.com.", "exa_mple.com", "example.com:443", "", "bücher.example"].map(
      (domain) => createChallengeText("login", domain),
    ),
    createChallengeText("login", `${"a".repeat(64)}.example`),
    ...["1e9", "-1", "01700000000", "1700000000.5", ""].map((time) =>
      createChallengeText("login", "example.com", time),
    ),
    `${createChallengeText()}a`,
    createChallengeText().slice(0, -1),
    createChallengeText().replace("xy", "-_"),
    ` ${createChallengeText()}`,
    createChallengeText().replace("svc", "SVC"),
    `Sign in to example.com\n${createChallengeText()}`,
  ])("are refused because of the challenge: %j", (challenge) => {
    expect(() => readPayload(formatSvcPayload({ challenge, ts: String(NOW) }))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(challenge_malformed|payload_parameters)$/) }),
    );
  });

  test("are read, or refused with a wallet error, whatever text they contain", () => {
    const pieces = fc.constantFrom(..."svc://auth? web+ https:// webhook= challenge= % & = s=".split(" "));
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      pieces,
      fc.constant(formatSvcPayload()),
      fc.webUrl(),
    );
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
