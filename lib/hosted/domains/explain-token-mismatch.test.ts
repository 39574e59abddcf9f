import { expect, test } from "vitest";
import { explainTokenMismatch } from "./explain-token-mismatch.ts";

const TOKEN = "svc-verify=AbCdEfGhIjKlMnOpQrStUvWx";

test.each([
  [`"${TOKEN}"`, "in quotation marks"],
  [`“${TOKEN}”`, "in quotation marks"],
  [`"${TOKEN}`, "in quotation marks"],
  [`TXT ${TOKEN}`, "more text around"],
  ["svc-verify= AbCdEfGhIjKlMnOpQrStUvWx", "spaces in it"],
  ["svc-verify = AbCdEfGhIjKlMnOpQrStUvWx", "spaces in it"],
  ["svc-verify=AbCdEfGhIjKl MnOpQrStUvWx", "spaces in it"],
  ['"svc-verify= AbCdEfGhIjKlMnOpQrStUvWx"', "spaces in it"],
  [TOKEN.toUpperCase(), "letter case"],
  ["Svc-Verify=AbCdEfGhIjKlMnOpQrStUvWx", "letter case"],
  ["AbCdEfGhIjKlMnOpQrStUvWx", "without svc-verify= in front"],
  ['"AbCdEfGhIjKlMnOpQrStUvWx"', "without svc-verify= in front"],
  ["svc-verify:AbCdEfGhIjKlMnOpQrStUvWx", "without svc-verify= in front"],
])("explains why a similar value is not the token: %s", (text, what) => {
  expect(explainTokenMismatch(text, TOKEN)).toContain(what);
});

test.each([
  "svc-verify=another",
  `${TOKEN}x`,
  `${TOKEN} `,
  `${TOKEN} x`,
  "v=spf1 -all",
  "",
  "AbCdEfGh",
  "svc-verify=",
])("returns null for a value that does not resemble the tenant's token: %j", (text) =>
  expect(explainTokenMismatch(text, TOKEN)).toBeNull(),
);

test("does not quote the text that surrounds the token", () => {
  expect(explainTokenMismatch(`secret=1 ${TOKEN}`, TOKEN)).not.toContain("secret");
});
