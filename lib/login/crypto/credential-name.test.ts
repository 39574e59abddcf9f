import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { fingerprint } from "@svc/wallet/derive-key";
import { expect, test } from "vitest";
import { credentialName } from "./public-key.ts";

test("a public key is named by the same fingerprint as in the wallet", () => {
  const { publicKey } = secp256k1.keygen();
  const compressed = bytesToHex(publicKey);
  const uncompressed = bytesToHex(secp256k1.Point.fromBytes(publicKey).toBytes(false));
  expect(credentialName(uncompressed)).toBe(fingerprint(compressed));
});

test("an address is named by itself", () => {
  expect(credentialName("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")).toBe(
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  );
});
