import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveKey } from "./derive-key.ts";
import {
  derivePublicKey,
  isValidSignature,
  signMessageWithLibsecp256k1,
} from "./independent-crypto.fixture.ts";
import { readPayload } from "./read-payload.ts";
import { seedFromPhrase } from "./seed.ts";
import vectors from "./vectors.json" with { type: "json" };
import { createWalletResponse, deriveDeviceId, signChallenge } from "./wallet-response.ts";

const { domain, account, challenge, signature } = vectors.signature;
const key = deriveKey(await seedFromPhrase(vectors.phrase), domain, account);

test("creates the documented signature for the documented challenge", () => {
  expect(signChallenge(challenge, key.privateKey)).toBe(signature);
  expect(signMessageWithLibsecp256k1(challenge, key.privateKey)).toBe(signature);
});

test("signs according to RFC 6979 with a low s, like a second implementation", () => {
  const bytes = fc.uint8Array({ minLength: 31, maxLength: 31 });
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), bytes, (text, end) => {
      const privateKey = Buffer.concat([Buffer.of(1), end]);
      const signedChallenge = signChallenge(text, privateKey);
      expect(signedChallenge).toBe(signMessageWithLibsecp256k1(text, privateKey));
      expect(isValidSignature(derivePublicKey(privateKey), text, signedChallenge)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test.each([null, "add" as const])(
  "sends every field of the protocol, including the intent that was shown: %s",
  (intent) => {
    const device = { platform: "linux", version: "1", installation: "00" };
    expect(createWalletResponse({ signed: challenge, domain, intent }, key, device, 1700000003.9)).toEqual({
      public_key: vectors.keys[0]?.public_key,
      signature,
      challenge,
      timestamp: 1700000003,
      device_info: { platform: "linux", version: "1", device_id: deriveDeviceId("00", domain) },
      intent,
    });
  },
);

test("sends the documented body for the documented payload", async () => {
  const { payload: text, webhook, now, platform, version, body } = vectors.login;
  const payload = readPayload(text);
  const device = { platform, version, installation: vectors.device_id.installation };
  expect(payload.webhook).toBe(webhook);
  expect(createWalletResponse(payload, key, device, now)).toEqual(body);
  const page = readFileSync(new URL("../../docs/wallet.md", import.meta.url), "utf8");
  const listings = [...page.matchAll(/^```(?:json)?\n(.*?)^```$/gms)].map(([, listing = ""]) => listing);
  expect(listings).toContain(`${text}\n`);
  const documented = listings.find((listing) => listing.includes('"public_key"')) ?? "null";
  expect(JSON.parse(documented)).toEqual(body);
});

test("sends each domain its own stable device id", () => {
  const { installation, domain, device_id } = vectors.device_id;
  expect(deriveDeviceId(installation, domain)).toBe(device_id);
  expect(deriveDeviceId(installation, "example.org")).not.toBe(device_id);
  expect(device_id).not.toContain(installation.slice(0, 8));
});
