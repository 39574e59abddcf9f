/**
 * What is mutated, with the tests that have to notice: what decides by its arguments alone, which is formats, keys and
 * signatures, the wallet's checks, times, names and headers. The tests are named, since those that a file is merely
 * imported by take minutes and were not written for it.
 */
export const MUTATED: Readonly<Record<string, readonly string[]>> = {
  ...beside("lib/contracts", {
    challenge: [],
    "qr-data": [],
    fast: [],
    "same-origin-path": [],
    "route-pattern": [],
    "hosted/hostname": [],
    "hosted/page": [],
  }),
  ...beside("lib/core/crypto", {
    hex: [],
    "der-signature": ["verify-signature"],
    "public-key": [],
    "verify-signature": ["secp256k1"],
    "bitcoin-address": [],
    "bitcoin-message": [],
    "webhook-signature": [],
    "secret-box": [],
  }),
  ...beside("lib/core/http", { "browser-cookie": [], "client-address": [] }),
  ...beside("lib/core/net", { address: [], "outbound-policy": [] }),
  ...beside("lib/flows/webhooks", { "retry-schedule": [], "fair-queue": [] }),
  ...beside("lib/wallet", {
    challenge: ["read-payload"],
    "read-payload": [],
    "check-payload": [],
    "answer-challenge": ["too-late", "deliver"],
    "answer-fast": ["too-late", "deliver"],
    "sign-challenge": [],
    "sign-message": [],
    "derive-key": [],
    "derive-address": [],
    fingerprint: [],
    "look-alike": [],
    seed: [],
    deliver: [],
    "read-answer": ["deliver"],
  }),
};

/** Files of a folder, each with the test of its own name and the others that are named. */
function beside(folder: string, files: Record<string, readonly string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(files).map(([name, others]) => [
      `${folder}/${name}.ts`,
      [name, ...others].map((test) => `${folder}/${test}.test.ts`),
    ]),
  );
}
