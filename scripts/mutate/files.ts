/**
 * What is mutated, with the tests that have to notice: what decides by its arguments alone, which is formats, keys and
 * signatures, the wallet's checks, times, names and headers. The tests are named, since those that a file is merely
 * imported by take minutes and were not written for it.
 */
export const MUTATED: Readonly<Record<string, readonly string[]>> = {
  ...inFolder("lib/login/protocol", { challenge: [], "qr-payload": [], paths: [] }),
  ...inFolder("lib/login/crypto", {
    "public-key": [],
    signature: ["signature", "verify-signature"],
    secp256k1: ["secp256k1", "verify-signature"],
  }),
  ...inFolder("lib/login/server", { cookies: [] }),
  ...inFolder("lib/login/fast", { protocol: [] }),
  ...inFolder("lib/login/fast/crypto", {
    "bitcoin-address": [],
    "bitcoin-message": ["bitcoin-message", "recover-point"],
  }),
  ...inFolder("lib/hosted/contract", { hostname: [], page: [] }),
  ...inFolder("lib/hosted/crypto", { "webhook-signature": [], "secret-box": [] }),
  ...inFolder("lib/hosted/events", { "retry-schedule": [], "fair-queue": [] }),
  ...inFolder("lib/login/http", { "client-address": [] }),
  ...inFolder("lib/platform/net", { "outbound-policy": [] }),
  ...inFolder("lib/routes", { "route-pattern": [] }),
  ...inFolder("lib/wallet", {
    "delegation-file": [],
    "host-name": ["host-name", "delegation-file"],
    "ask-domain": [],
    "read-payload": [],
    "check-payload": [],
    "answer-code": ["answer-code", "send-response"],
    "wallet-response": [],
    "bitcoin-address": [],
    "derive-key": [],
    request: [],
    "look-alike": [],
    seed: [],
    "send-response": [],
    "read-answer": ["send-response"],
  }),
};

/**
 * Stores whose SQL is mutated, with the tests that have to notice. They run the statements themselves, against
 * PostgreSQL, without a build or a server.
 */
export const STORES: Readonly<Record<string, readonly string[]>> = {
  ...inFolder("lib/login/store", {
    "accept-response": ["accept-response.integration"],
    "redeem-login": ["redeem-login.integration"],
    "browser-session": ["browser-session.integration"],
    "login-session": ["login-session.integration"],
    prune: ["prune.integration"],
  }),
  ...inFolder("lib/login/recovery/store", {
    "recovery-code": ["recovery-code.integration"],
    recovery: ["recovery.integration", "recovery-code.integration"],
    "take-effect": ["take-effect.integration"],
  }),
};

/** Files of a folder, each with its tests; where none is named, the test of the file's own name. */
function inFolder(folder: string, files: Record<string, readonly string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(files).map(([name, tests]) => [
      `${folder}/${name}.ts`,
      (tests.length > 0 ? tests : [name]).map((test) => `${folder}/${test}.test.ts`),
    ]),
  );
}
