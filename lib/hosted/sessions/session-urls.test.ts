import { describe, expect, test } from "vitest";
import { assertReturnUrl } from "./session-urls.ts";

const DOMAIN = "shop.example";
const check = (text: string, domain = DOMAIN, mode: "live" | "test" = "live") =>
  assertReturnUrl(text, { mode, domain });
const refusal = expect.objectContaining({ code: "invalid_request" });

describe("return_url", () => {
  test.each([
    `https://${DOMAIN}`,
    `https://${DOMAIN}/welcome?x=1#y`,
    `https://${DOMAIN}:8443/`,
    `HTTPS://SHOP.example/`,
  ])("can be %s", (text) => expect(() => check(text)).not.toThrow());

  test.each([
    ["a subdomain", `https://sub.${DOMAIN}/`],
    ["the parent domain", "https://example/"],
    ["another domain", "https://other.example/"],
    ["a domain that ends with this one's name", `https://evil${DOMAIN}/`],
    ["a domain that begins with this one's name", `https://${DOMAIN}.evil.example/`],
    ["the domain with a final dot", `https://${DOMAIN}./`],
  ])("cannot be on %s", (_what, text) => {
    for (const mode of ["live", "test"] as const) expect(() => check(text, DOMAIN, mode)).toThrow(refusal);
  });

  test.each([
    ...[`https://${DOMAIN}\\@evil.example/`, `https:///${DOMAIN}/`, `https://${DOMAIN.replace(".", "%2e")}/`],
    ...[`https://${DOMAIN}/\u0001`, `https://somebody@${DOMAIN}/`],
  ])("is refused if different parsers disagree about its host: %j", (text) => {
    expect(() => check(text)).toThrow(refusal);
  });

  test("must use HTTPS, except on localhost in test mode", () => {
    for (const mode of ["live", "test"] as const) {
      expect(() => check(`http://${DOMAIN}/`, DOMAIN, mode)).toThrow(refusal);
    }
    for (const domain of ["localhost", "shop.localhost"]) {
      expect(() => check(`http://${domain}:3000/in`, domain, "test")).not.toThrow();
      expect(() => check(`http://${domain}:3000/in`, domain, "live")).toThrow(refusal);
    }
    for (const domain of ["evillocalhost", "localhost.evil.example", "shop.test"]) {
      expect(() => check(`http://${domain}/`, domain, "test")).toThrow(refusal);
    }
    expect(() => check("http://evillocalhost/", "localhost", "test")).toThrow(refusal);
    expect(() => check("http://shop.localhost/", "localhost", "test")).toThrow(refusal);
    expect(() => check("ftp://localhost/", "localhost", "test")).toThrow(refusal);
  });
});
