import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveKey } from "./derive-key.ts";
import { publicKeyOf, signatureOf } from "./independent-crypto.fixture.ts";
import { seedFromPhrase } from "./seed.ts";
import vectors from "./vectors.json" with { type: "json" };
import { deviceId, makeWalletResponse, signChallenge } from "./wallet-response.ts";

const HALF_ORDER = BigInt("0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0");
const key = deriveKey(
  await seedFromPhrase(vectors.phrase),
  vectors.signature.domain,
  vectors.signature.account,
);

function s(der: string): bigint {
  const rLength = Number.parseInt(der.slice(6, 8), 16);
  return BigInt(`0x${der.slice(8 + rLength * 2 + 4)}`);
}

test("the documented challenge has the documented signature", () => {
  expect(signChallenge(vectors.signature.challenge, key.privateKey)).toBe(vectors.signature.signature);
  expect(signatureOf(vectors.signature.challenge, Buffer.from(key.privateKey))).toBe(
    vectors.signature.signature,
  );
});

test("signatures are RFC 6979's with low S, by a second implementation, and OpenSSL verifies them", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.uint8Array({ minLength: 31, maxLength: 31 }),
      (text, bytes) => {
        const privateKey = Buffer.concat([Buffer.of(1), bytes]);
        const signature = signChallenge(text, privateKey);
        expect(signature).toBe(signatureOf(text, privateKey));
        expect(s(signature) <= HALF_ORDER).toBe(true);
        const der = Buffer.from(
          `3056301006072a8648ce3d020106052b8104000a034200${publicKeyOf(privateKey)}`,
          "hex",
        );
        const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
        expect(verify("sha256", Buffer.from(text, "utf8"), publicKey, Buffer.from(signature, "hex"))).toBe(
          true,
        );
      },
    ),
    { numRuns: 40 },
  );
});

test.each([null, "add" as const])(
  "a response carries every field of the protocol and whole seconds, and says that it showed %s",
  (intent) => {
    const { domain, challenge: signed, signature } = vectors.signature;
    const device = { platform: "linux", version: "1", installation: "00" };
    expect(makeWalletResponse({ signed, domain, intent }, key, device, 1700000003.9)).toEqual({
      public_key: vectors.keys[0]?.public_key,
      signature,
      challenge: signed,
      timestamp: 1700000003,
      device_info: { platform: "linux", version: "1", device_id: deviceId("00", domain) },
      intent,
    });
  },
);

test("a device id is stable for a domain, another at the next, and tells nothing of the installation", () => {
  const { installation, domain, device_id } = vectors.device_id;
  expect(deviceId(installation, domain)).toBe(device_id);
  expect(deviceId(installation, "example.org")).not.toBe(device_id);
  expect(device_id).not.toContain(installation.slice(0, 8));
});
