import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeFingerprint, computeSlip13Indexes, deriveKey } from "./derive-key.ts";
import {
  computeSlip13Numbers,
  deriveHardenedKey,
  derivePublicKey,
  deriveSeed,
} from "./independent-crypto.fixture.ts";
import { expectedWalletError } from "./payload.fixture.ts";
import { seedFromPhrase } from "./seed.ts";
import vectors from "./vectors.json" with { type: "json" };

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const seed = await seedFromPhrase(vectors.phrase);

describe("the derivation path of SLIP-0013", () => {
  test("matches the published worked example", () => {
    expect(computeSlip13Indexes("https://satoshi@bitcoin.org/login", 0)).toEqual([
      2147483661, 2637750992, 2845082444, 3761103859, 4005495825,
    ]);
  });

  test("agrees with a second implementation for every URI and index", () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.nat({ max: 0xffff_ffff }), (uri, index) => {
        expect(computeSlip13Indexes(uri, index).map((number) => number - 0x8000_0000)).toEqual(
          computeSlip13Numbers(uri, index),
        );
      }),
    );
  });
});

describe("the key of a domain", () => {
  test("matches the documented key for every vector", () => {
    expect(hex(seed)).toBe(vectors.seed);
    for (const expected of vectors.keys) {
      const { privateKey, publicKey, ...key } = deriveKey(seed, expected.domain, expected.account);
      expect(expected).toMatchObject({ ...key, private_key: hex(privateKey), public_key: publicKey });
    }
  });

  test("agrees with a second implementation", () => {
    const independentSeed = deriveSeed(vectors.phrase);
    const domains = ["localhost", "127.0.0.1", "xn--bcher-kva.example", "a.b.c.d.example"];
    const others = domains.map((domain, place) => ({ domain, account: place * 0x3fff_ffff }));
    for (const { domain, account } of [...vectors.keys, ...others]) {
      const key = deriveKey(seed, domain, account);
      const privateKey = deriveHardenedKey(independentSeed, computeSlip13Numbers(`svc://${domain}`, account));
      expect(hex(key.privateKey)).toBe(hex(privateKey));
      expect(key.publicKey).toBe(derivePublicKey(privateKey));
    }
  });

  test("differs for every domain and every account", () => {
    const keys = ["a.example", "b.example", "example"].flatMap((domain) =>
      [0, 1, 2].map((account) => deriveKey(seed, domain, account).publicKey),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(["", "Example.com", "example.com.", "example.com:443", "bücher.example", "a b", "-a.example"])(
    "is refused for a domain that is not valid in a challenge: %j",
    (domain) => expect(() => deriveKey(seed, domain)).toThrow(expectedWalletError("domain_malformed")),
  );

  test.each([-1, 0.5, 2 ** 32, Number.NaN])("is refused for account %d", (account) =>
    expect(() => deriveKey(seed, "example.com", account)).toThrow(expectedWalletError("account_malformed")),
  );

  test("has the same fingerprint in compressed form", () => {
    for (const { public_key, fingerprint: expected } of vectors.keys) {
      const hash = createHash("sha256").update(public_key, "hex").digest("hex");
      expect(expected.replaceAll(" ", "")).toBe(hash.slice(0, 16));
      const parity = Number.parseInt(public_key.slice(-1), 16) % 2 ? "03" : "02";
      for (const key of [public_key, public_key.toUpperCase(), parity + public_key.slice(2, 66)])
        expect(computeFingerprint(key)).toBe(expected);
    }
  });
});

test("documents every test vector in the wallet guide", () => {
  const page = readFileSync(new URL("../../docs/wallet.md", import.meta.url), "utf8");
  const { phrase, keys, signature, device_id } = vectors;
  const values = [phrase, vectors.seed, device_id.device_id, ...Object.values(signature)].concat(
    keys.flatMap((key) => [key.domain, key.path, key.private_key, key.public_key, key.fingerprint]),
  );
  for (const value of values) expect(page).toContain(String(value));
});
