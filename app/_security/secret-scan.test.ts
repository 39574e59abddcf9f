import { describe, expect, test } from "vitest";
import { findSecrets } from "#e2e/support/secret-scan.ts";

/** Checks that the search finds secrets: a search that finds nothing would always pass. */

const SECRETS = [
  { name: "a cookie", value: "zG1-_3nUuq0c1xK5o3b0gK3q8YyZ1vT0Jt6cJ2Qe9hM" },
  { name: "an API key", value: "svc_test_zG1-_3nUuq0c1xK5o3b0gK3q8YyZ1vT0Jt6cJ2Qe9hN" },
  { name: "a webhook secret", value: "whsec_q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=" },
  {
    name: "a signature",
    value: "3045022100a1b2c3d4e5f60718293a4b5c6d7e8f900220112233445566778899aabbccddeeff",
  },
  { name: "words", value: "a pass/phrase of somebody's & more" },
];

const text = (value: string) => Buffer.from(value);
const raw = (value: string) =>
  /^[0-9a-f]+$/.test(value)
    ? Buffer.from(value, "hex")
    : Buffer.from(value.replace(/^(whsec_|svc_test_)/, ""), "base64");

describe("the search for secrets", () => {
  test.each<[string, (value: string) => string]>([
    ["in plain text", (value) => value],
    ["URL-encoded", encodeURIComponent],
    ["in hex", (value) => text(value).toString("hex")],
    ["in upper-case hex", (value) => text(value).toString("hex").toUpperCase()],
    ["in base64", (value) => text(value).toString("base64")],
    ["in base64 inside a longer text", (value) => text(`a${value}bc`).toString("base64")],
    ["in base64url, offset by two bytes", (value) => text(`ab${value}c`).toString("base64url")],
  ])("finds a secret in every encoding: %s", (_form, encode) => {
    for (const { name, value } of SECRETS) {
      expect(findSecrets(`{"msg":"x ${encode(value)} y"}`, SECRETS)).toContain(name);
    }
  });

  test("finds the bytes of a secret in hex and in base64", () => {
    for (const { name, value } of SECRETS.slice(0, 4)) {
      for (const encoding of ["hex", "base64", "base64url"] as const) {
        expect(findSecrets(`\\x${raw(value).toString(encoding)}`, SECRETS)).toContain(name);
      }
    }
  });

  test("ignores text that only resembles a secret", () => {
    const nearSecrets = SECRETS.map(({ value }) => value.slice(0, -6)).join(" ");
    expect(findSecrets(nearSecrets, SECRETS)).toEqual([]);
  });
});
