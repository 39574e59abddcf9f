import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { domainWarnings } from "./look-alike.ts";
import { toUnicode } from "./punycode.ts";

const ascii = (name: string) => new URL(`https://${name}`).hostname;
const KNOWN = ["example.com", "bank.co.uk", "paypal.com"];

test.each([
  ["another letter", "exampIe.com".toLowerCase()],
  ["a digit for a letter", "paypa1.com"],
  ["a letter more", "examplle.com"],
  ["a letter fewer", "exmple.com"],
  ["two letters that changed places", "exapmle.com"],
  ["another ending", "example.net"],
  ["rn for m", "exarnple.com"],
  ["a hyphen", "pay-pal.com"],
  ["Cyrillic letters", ascii("раураl.com")],
  ["an accent", ascii("exámple.com")],
  ["the known name in front of another", "example.com.evil.test"],
  ["the known name with hyphens in front of another", "example-com.evil.test"],
])("a domain that differs from a known one by %s is called out (%#)", (_, domain) => {
  expect(domainWarnings(domain, KNOWN)).toContainEqual({ kind: "look_alike", known: expect.any(String) });
});

test.each(["example.com", "paypal.com", "login.example.com", "unrelated.test", "other.co.uk", "localhost"])(
  "%s is not called out",
  (domain) => expect(domainWarnings(domain, KNOWN)).toEqual([]),
);

test("letters beyond a–z are always called out, as they would be written", () => {
  const domain = ascii("bücher.example");
  expect(domainWarnings(domain, [domain])).toEqual([{ kind: "international", written: "bücher.example" }]);
});

test("names are read as Node reads them, and what is no punycode stays as it is", () => {
  for (const name of [
    "bücher.example",
    "münchen.de",
    "例え.jp",
    "раураl.com",
    "президент.рф",
    "faß.de",
    "a.b",
  ]) {
    expect(toUnicode(ascii(name))).toBe(domainToUnicode(ascii(name)));
  }
  expect(toUnicode("xn--.com")).toBe(".com");
  expect(toUnicode("xn--99999999.com")).toBe("xn--99999999.com");
});

test("whatever the name, it is judged without failing, and shows no character that hides", () => {
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
  fc.assert(
    fc.property(label, fc.boolean(), (text, encoded) => {
      for (const warning of domainWarnings(`${encoded ? "xn--" : ""}${text}.com`, KNOWN)) {
        if (warning.kind === "international") expect(warning.written).not.toMatch(/[\p{C}\p{Z}]/u);
      }
    }),
    { numRuns: 1000 },
  );
});
