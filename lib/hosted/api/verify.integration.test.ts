import { expect, inject, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** `POST /verify` by a live key; its judgement is the conformance kit's (section 5.3). */

const [url] = inject("appUrls");

test("200: says whether it verifies; 400: what is no signature, and what was expected", async () => {
  const customer = await newCustomer(url, inject("databaseUrl"), { mode: "live" });
  const wallet = new TestWallet();
  const message = "svc:login:örtlich.example:1:x";
  const signed = { public_key: wallet.publicKey, signature: wallet.sign(message), message };
  expect(await (await customer.post("/verify", signed)).json()).toMatchObject({ valid: true });
  const response = await customer.post("/verify", { ...signed, signature: "00" });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({
    code: "invalid_signature",
    details: { public_key: wallet.publicKey, expected_format: "DER-encoded ECDSA signature" },
  });
});
