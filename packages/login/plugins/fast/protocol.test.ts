import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/kit/any-character.ts";
import { formatFastToken, formatFastUrl, parseFastTokenTime, parseFastUrl } from "./protocol.ts";

const ORIGIN = "https://example.com";
const SID = `${"a".repeat(32)}_1700000000`;
const CHALLENGE = `${"b".repeat(32)}_1700000001`;
const URL_TEXT = `${ORIGIN}/api/fastauth?sid=${SID}&c=${CHALLENGE}&t=6553f101`;

const intents = fc.constantFrom(null, "approve" as const, "add" as const);
const tokens = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9]{22,64}$/), fc.integer({ min: 1, max: 99_999_999_999 }))
  .map(([random, time]) => formatFastToken(random, time));

describe("a sid or challenge for fast login", () => {
  test("is a random string, an underscore and the Unix time", () => {
    expect(formatFastToken("a".repeat(32), 1_700_000_000)).toBe(SID);
    expect(parseFastTokenTime(SID)).toBe(1_700_000_000);
  });

  test.each([
    "",
    "_",
    "a_1",
    `${"a".repeat(32)}_`,
    `${"a".repeat(32)}_01`,
    `${SID} `,
    `${SID},${SID}`,
    "%",
    "__proto__",
  ])("is refused if it is malformed: %j", (text) => {
    expect(parseFastTokenTime(text)).toBeNull();
  });
});

describe("a QR URL", () => {
  test("contains the sid, the challenge and its time in hex", () => {
    const query = { sid: SID, c: CHALLENGE, t: "6553f101", intent: null };
    expect(formatFastUrl(ORIGIN, query)).toBe(URL_TEXT);
    expect(parseFastUrl(ORIGIN, URL_TEXT)).toEqual(query);
  });

  test("contains the code's intent, if the code has one", () => {
    const query = { sid: SID, c: CHALLENGE, t: "6553f101", intent: "approve" } as const;
    expect(formatFastUrl(ORIGIN, query)).toBe(`${URL_TEXT}&intent=approve`);
  });

  test("is read back unchanged, whatever tokens it contains", () => {
    fc.assert(
      fc.property(tokens, tokens, intents, (sid, c, intent) => {
        const query = { sid, c, t: (parseFastTokenTime(c) ?? 0).toString(16), intent };
        expect(parseFastUrl(ORIGIN, formatFastUrl(ORIGIN, query))).toEqual(query);
      }),
    );
  });

  test.each([
    ["from another origin", URL_TEXT.replace("example.com", "example.org")],
    ["with another scheme", URL_TEXT.replace("https", "http")],
    ["with the origin's port written out", URL_TEXT.replace(".com", ".com:443")],
    ["in different letter case", URL_TEXT.replace("example", "Example")],
    ["with a user name", URL_TEXT.replace("example", "x@example")],
    ["with another path", URL_TEXT.replace("fastauth", "fastauth/")],
    ["with parameters in another order", `${ORIGIN}/api/fastauth?c=${CHALLENGE}&sid=${SID}&t=6553f101`],
    ["with an extra parameter", `${URL_TEXT}&x=1`],
    ["with an unknown intent", `${URL_TEXT}&intent=login`],
    ["with an empty intent", `${URL_TEXT}&intent=`],
    ["with an intent in front", URL_TEXT.replace("?", "?intent=add&")],
    ["with two intents", `${URL_TEXT}&intent=add&intent=approve`],
    ["with a repeated parameter", `${URL_TEXT}&t=6553f101`],
    ["with a fragment", `${URL_TEXT}#`],
    ["with a different time", URL_TEXT.replace("6553f101", "6553f102")],
    ["with the time in upper case", URL_TEXT.replace("6553f101", "6553F101")],
    ["with surrounding space", ` ${URL_TEXT}`],
    ["that is too long", URL_TEXT + "x".repeat(600)],
    ["with a malformed sid", URL_TEXT.replace(SID, "somebody")],
    ["with a malformed challenge", URL_TEXT.replace(CHALLENGE, "something")],
    ...["/api", "sid=", "t=6553f101", "https", "example.com"].map((part): [string, string] => [
      `with ${part} in upper case`,
      URL_TEXT.replace(part, part.toUpperCase()),
    ]),
    ["that is not a URL", "sid"],
  ])("is refused: %s", (_what, text) => {
    expect(parseFastUrl(ORIGIN, text)).toBeNull();
  });

  test("is refused without throwing if it is arbitrary text", () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => parseFastUrl(ORIGIN, text) === null));
  });
});
