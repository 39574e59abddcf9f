import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

let customer: Customer;
const wallet = new TestWallet();
const message = "svc:login:örtlich.example:1:x";
const signed = { public_key: wallet.publicKey, signature: wallet.sign(message), message };

beforeAll(async () => {
  customer = await newCustomer(url, databaseUrl, { mode: "live" });
});

const verify = (body: unknown) => customer.post("/verify", body);

describe("POST /verify", () => {
  test("200 valid: the key in its canonical form, and the message's hash", async () => {
    const message_hash = `sha256:${createHash("sha256").update(message).digest("hex")}`;
    const compressed = secp256k1.Point.fromBytes(hexToBytes(wallet.publicKey)).toHex(true);
    for (const public_key of [wallet.publicKey, wallet.publicKey.toUpperCase(), compressed]) {
      const response = await verify({ ...signed, public_key });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ valid: true, public_key: wallet.publicKey, message_hash });
    }
  });

  test("200 not valid: another message, another key", async () => {
    for (const changes of [
      { message: `${message} ` },
      { message: "" },
      { public_key: new TestWallet().publicKey },
    ]) {
      const response = await verify({ ...signed, ...changes });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ valid: false });
    }
  });

  test.each([
    ["a key off the curve", { public_key: `04${"00".repeat(64)}` }],
    ["a key that is no hex", { public_key: "zz" }],
    ["an empty key", { public_key: "" }],
    ["a signature that is no DER", { signature: "00" }],
    ["an empty signature", { signature: "" }],
    ["a compact signature", { signature: "11".repeat(64) }],
  ])("400 invalid_signature: %s", async (_name, changes) => {
    const body = { ...signed, ...changes };
    const response = await verify(body);
    const { error } = await response.clone().json();
    await expectApiError(response, 400, "invalid_signature");
    expect(error.details).toEqual({
      public_key: body.public_key,
      expected_format: "DER-encoded ECDSA signature",
    });
  });

  test.each([
    ["no public_key", { public_key: undefined }],
    ["a number as signature", { signature: 1 }],
    ["no message", { message: undefined }],
    ["null as message", { message: null }],
  ])("400 invalid_request: %s", async (_name, changes) => {
    await expectApiError(await verify({ ...signed, ...changes }), 400, "invalid_request");
  });
});
