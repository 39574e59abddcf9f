/**
 * What is mutated, with the tests that have to notice: what decides by its arguments alone, which is formats, keys and
 * signatures, the wallet's checks, times, names and headers. The tests are named, since those that a file is merely
 * imported by take minutes and were not written for it.
 */
export const MUTATED: Readonly<Record<string, readonly string[]>> = {
  ...beside("lib/login/protocol", { challenge: [], "qr-payload": [], "same-origin-path": [] }),
  ...beside("lib/login/crypto", {
    hex: [],
    "der-signature": ["verify-signature"],
    "public-key": [],
    "verify-signature": ["secp256k1"],
  }),
  ...beside("lib/login/server", { "browser-cookie": [] }),
  ...beside("lib/fast", { protocol: [] }),
  ...beside("lib/fast/crypto", { "bitcoin-address": [], "bitcoin-message": [] }),
  ...beside("lib/hosted/contract", { hostname: [], page: [] }),
  ...beside("lib/hosted/crypto", { "webhook-signature": [], "secret-box": [] }),
  ...beside("lib/hosted/events", { "retry-schedule": [], "fair-queue": [] }),
  ...beside("lib/platform/http", { "client-address": [] }),
  ...beside("lib/platform/net", { address: [], "outbound-policy": [] }),
  ...beside("lib/routes", { "route-pattern": [] }),
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
