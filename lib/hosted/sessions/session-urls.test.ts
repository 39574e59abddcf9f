import { describe, expect, test } from "vitest";
import { checkReturnUrl } from "./session-urls.ts";

const DOMAIN = "shop.example";
const check = (text: string, domain = DOMAIN, mode: "live" | "test" = "live") =>
  checkReturnUrl(text, { mode, domain });
const refusal = expect.objectContaining({ code: "invalid_request" });

describe("return_url", () => {
  test.each([
    `https://${DOMAIN}`,
    `https://${DOMAIN}/welcome?x=1#y`,
    `https://${DOMAIN}:8443/`,
    `HTTPS://SHOP.example/`,
  ])("can be %s", (text) => expect(() => check(text)).not.toThrow());

  test.each([
    ["below it", `https://sub.${DOMAIN}/`],
    ["above it", "https://example/"],
    ["next to it", "https://other.example/"],
    ["that ends like it", `https://evil${DOMAIN}/`],
    ["that begins like it", `https://${DOMAIN}.evil.example/`],
    ["with a final dot", `https://${DOMAIN}./`],
  ])("is on the domain itself, and not on %s", (_what, text) => {
    for (const mode of ["live", "test"] as const) expect(() => check(text, DOMAIN, mode)).toThrow(refusal);
  });

  test.each([
    ...[`https://${DOMAIN}\\@evil.example/`, `https:///${DOMAIN}/`, `https://${DOMAIN.replace(".", "%2e")}/`],
    ...[`https://${DOMAIN}/\u0001`, `https://somebody@${DOMAIN}/`],
  ])("has the same host for every parser, unlike %j", (text) => {
    expect(() => check(text)).toThrow(refusal);
  });

  test("is https, except on localhost and below it in test mode", () => {
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
