import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findDomainWarnings, toUnicode } from "./look-alike.ts";

const ascii = (name: string) => new URL(`https://${name}`).hostname;
const KNOWN = ["example.com", "bank.co.uk", "paypal.com"];

test.each([
  ["another letter", "exampIe.com".toLowerCase()],
  ["a digit in place of a letter", "paypa1.com"],
  ["an extra letter", "examplle.com"],
  ["a missing letter", "exmple.com"],
  ["two swapped letters", "exapmle.com"],
  ["another ending", "example.net"],
  ["rn in place of m", "exarnple.com"],
  ["a hyphen", "pay-pal.com"],
  ["Cyrillic letters", ascii("раураl.com")],
  ["an accent", ascii("exámple.com")],
  ["the known name in front of another", "example.com.evil.test"],
  ["the known name with hyphens in front of another", "example-com.evil.test"],
  ["a word after the known name", "example-login.com"],
  ["a word before the known name", "login-example.com"],
  ["words around the known name", "my-example-account.net"],
  ["a word without a hyphen", "examplelogin.com"],
  ["a word in front without a hyphen", "mypaypal.com"],
  ["the known name below another", "example.login.app"],
  ["the known name deep below another", "www.example.secure.evil.test"],
  ["the known name in a host's subdomain", "paypal.shop-hosting.test"],
  ["a digit in a word of another name", "paypa1-login.com"],
  ["Cyrillic letters in a word of another name", ascii("раураl-login.com")],
])("reports a domain that differs from a known one by %s (%#)", (_, domain) => {
  expect(findDomainWarnings(domain, KNOWN)).toContainEqual({ kind: "look_alike", known: expect.any(String) });
});

test.each(["example.com", "paypal.com", "login.example.com", "unrelated.test", "other.co.uk", "localhost"])(
  "does not report a domain that only seems similar: %s",
  (domain) => expect(findDomainWarnings(domain, KNOWN)).toEqual([]),
);

/** None of these names can be confused with another. */
const NAMES = (
  "amazon github wikipedia spotify dropbox mozilla debian firefox stripe vercel shopify netflix airbnb reddit twitch " +
  "zalando bandcamp etsy ing dhl ups ikea nytimes guardian strava komoot bahn migros telekom orange"
).split(" ");
const WORDS = "login my mail shop app accounts cloud git intranet id blog status".split(" ");

const topLevelDomain = fc.constantFrom("com", "org", "de", "co.uk", "app");
const word = fc.constantFrom(...WORDS);
/** For example `github.com`, `mail.bahn.de`, `login-app.ing.co.uk`. */
const addresses = (name: string) =>
  fc
    .tuple(fc.subarray(WORDS, { maxLength: 2 }), topLevelDomain)
    .map(([below, end]) => `${below.length > 0 ? `${below.join("-")}.` : ""}${name}.${end}`);

test("raises no false alarms for sites that a user already knows", () => {
  const life = fc.shuffledSubarray(NAMES, { minLength: 2 }).chain(([first = "", ...others]) =>
    fc.record({
      domain: addresses(first),
      known: fc.tuple(...others.map(addresses)),
      sibling: word,
    }),
  );
  fc.assert(
    fc.property(life, ({ domain, known, sibling }) => {
      expect(findDomainWarnings(domain, known)).toEqual([]);
      const owned = domain.slice(domain.indexOf(NAMES.find((name) => domain.includes(`${name}.`)) ?? ""));
      expect(findDomainWarnings(`${sibling}.${owned}`, [...known, owned])).toEqual([]);
      expect(findDomainWarnings(owned, [...known, `${sibling}.${owned}`])).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("does not report common words in a domain that are also the names of known sites", () => {
  const knownDomains = ["login.gov", "mail.com", "shop.app", "bank.co.uk", "account.google.com"];
  for (const domain of ["login.example.org", "mail.example.net", "my-shop.test", "login-mail.org"])
    expect(findDomainWarnings(domain, knownDomains)).toEqual([]);
});

test("does not report two subdomains of the same domain", () => {
  expect(findDomainWarnings("blog.example.com", ["shop.example.com"])).toEqual([]);
  expect(findDomainWarnings("bob.pages.test", ["alice.pages.test"])).toEqual([]);
  expect(findDomainWarnings("a1ice.pages.test", ["alice.pages.test"])).toHaveLength(1);
  expect(findDomainWarnings("example.pages.test", ["alice.pages.test", "example.com"])).toEqual([
    { kind: "look_alike", known: "example.com" },
  ]);
});

test("reports a known name that is extended with a hyphen or a dot", () => {
  const other = fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/);
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), other, other, topLevelDomain, (name, before, after, end) => {
      for (const domain of [
        `${before}-${name}.${end}`,
        `${name}-${after}.${end}`,
        `${before}-${name}-${after}.${end}`,
        `${name}.${before}long.${end}`,
        `${after}.${name}.${before}long.${end}`,
      ]) {
        expect(findDomainWarnings(domain, [`${name}.com`]), domain).toHaveLength(1);
      }
    }),
    { numRuns: 500 },
  );
});

test("reports domains with letters outside a–z, and shows these letters", () => {
  const domain = ascii("bücher.example");
  expect(findDomainWarnings(domain, [domain])).toEqual([
    { kind: "international", written: "bücher.example" },
  ]);
});

test("decodes domains as Node does, and leaves invalid punycode unchanged", () => {
  for (const name of "bücher.example münchen.de 例え.jp раураl.com президент.рф faß.de a.b".split(" ")) {
    expect(toUnicode(ascii(name))).toBe(domainToUnicode(ascii(name)));
  }
  expect(toUnicode("xn--.com")).toBe(".com");
  expect(toUnicode("xn--99999999.com")).toBe("xn--99999999.com");
});

test("checks any domain without throwing", () => {
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
  fc.assert(
    fc.property(label, fc.boolean(), (text, encoded) => {
      for (const warning of findDomainWarnings(`${encoded ? "xn--" : ""}${text}.com`, KNOWN)) {
        if (warning.kind === "international") expect(warning.written).not.toMatch(/[\p{C}\p{Z}]/u);
      }
    }),
    { numRuns: 1000 },
  );
});
