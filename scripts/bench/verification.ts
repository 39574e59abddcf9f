import { hash } from "node:crypto";
import { createRequire } from "node:module";
import { parsePublicKey } from "#lib/login/crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "#lib/login/crypto/signature.ts";
import { TestWallet } from "../kit/test-wallet.ts";
import { median } from "./measure.ts";

/** The part of `libsecp256k1/bindings` that verifies; the package has no types of its own. */
type Bindings = {
  ecdsaVerify(signature: Uint8Array, digest: Uint8Array, point: Uint8Array): boolean;
};

export type VerificationFigures = { raw: number; verify: number; whole: number };

/**
 * Processor microseconds of a verification: libsecp256k1 by itself, ours on parsed input, and ours from the texts
 * that a wallet sends. In turn over rounds; medians.
 */
export function measureVerification({
  rounds,
  times,
}: {
  rounds: number;
  times: number;
}): VerificationFigures {
  const bindings: Bindings = createRequire(import.meta.url)("libsecp256k1/bindings.js");
  const wallet = new TestWallet();
  const message = "svc:login:localhost:1700000000:abcdefghijklmnopqrstuvwxyzABCDEF";
  const signatureHex = wallet.sign(message);
  const publicKey = parsePublicKey(wallet.publicKey);
  const signature = parseDerSignature(signatureHex);
  if (!publicKey || !signature) throw new Error("the wallet's own signature cannot be parsed");
  const digest = hash("sha256", message, "buffer");
  const ways = {
    raw: () => bindings.ecdsaVerify(signature, digest, publicKey.bytes),
    verify: () => verifySignature({ publicKey, signature, message }),
    whole: () => {
      const [key, sent] = [parsePublicKey(wallet.publicKey), parseDerSignature(signatureHex)];
      return key !== null && sent !== null && verifySignature({ publicKey: key, signature: sent, message });
    },
  };
  const measured: Record<keyof typeof ways, number[]> = { raw: [], verify: [], whole: [] };
  for (let round = -1; round < rounds; round++) {
    for (const name of ["raw", "verify", "whole"] as const) {
      const before = process.cpuUsage();
      for (let time = 0; time < times; time++) {
        if (!ways[name]()) throw new Error(`${name} refuses a good signature`);
      }
      const { user, system } = process.cpuUsage(before);
      // The first round is for the compiler.
      if (round >= 0) measured[name].push((user + system) / times);
    }
  }
  return { raw: median(measured.raw), verify: median(measured.verify), whole: median(measured.whole) };
}
