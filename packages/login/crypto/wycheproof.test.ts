import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parsePublicKey } from "./public-key.ts";
import { loadLibsecp256k1, nobleEngine, type Secp256k1Engine } from "./secp256k1.ts";
import { parseDerSignature } from "./signature.ts";

/**
 * Stored outside the repository. The vectors' messages are arbitrary bytes instead of text, so the tests pass digests
 * to the engines instead of calling `verifySignature`.
 */
const VECTORS = path.resolve(import.meta.dirname, "../../../../shared/vectors/wycheproof");

const vectorFile = z.object({
  numberOfTests: z.number(),
  testGroups: z.array(
    z.object({
      publicKey: z.object({ uncompressed: z.string() }),
      tests: z.array(
        z.object({
          tcId: z.number(),
          comment: z.string(),
          msg: z.string(),
          sig: z.string(),
          result: z.enum(["valid", "invalid"]),
        }),
      ),
    }),
  ),
});

function readVectors(file: string) {
  const { numberOfTests, testGroups } = vectorFile.parse(
    JSON.parse(readFileSync(path.join(VECTORS, file), "utf8")),
  );
  const cases = testGroups.flatMap(({ publicKey, tests }) =>
    tests.map((vector) => ({ ...vector, publicKeyHex: publicKey.uncompressed })),
  );
  expect(cases).toHaveLength(numberOfTests);
  return cases;
}

type Vector = ReturnType<typeof readVectors>[number];

function verdict(engine: Secp256k1Engine, vector: Vector): Vector["result"] {
  const publicKey = parsePublicKey(vector.publicKeyHex);
  const signature = parseDerSignature(vector.sig);
  if (publicKey === null || signature === null) return "invalid";
  const digest = hash("sha256", Buffer.from(vector.msg, "hex"), "buffer");
  return engine.verifyDigest(signature, digest, publicKey.bytes) ? "valid" : "invalid";
}

describe.skipIf(!existsSync(VECTORS))(
  "Wycheproof (skipped if its vectors are not next to the repository)",
  () => {
    const native = loadLibsecp256k1();
    const engines = native === null ? [nobleEngine] : [nobleEngine, native];

    test.each(engines)("accepts and rejects every DER vector correctly: $name", (engine) => {
      const cases = readVectors("ecdsa_secp256k1_sha256_test.json");
      const wrongCases = cases.filter((vector) => verdict(engine, vector) !== vector.result);
      expect(wrongCases).toEqual([]);
    });

    test("parses every key in the vectors", () => {
      const cases = readVectors("ecdsa_secp256k1_sha256_test.json");
      expect(cases.filter(({ publicKeyHex }) => parsePublicKey(publicKeyHex)?.hex !== publicKeyHex)).toEqual(
        [],
      );
    });

    test("refuses a signature in r‖s form where DER is expected", () => {
      const cases = readVectors("ecdsa_secp256k1_sha256_p1363_test.json");
      expect(cases.filter(({ sig }) => parseDerSignature(sig) !== null)).toEqual([]);
    });
  },
);
