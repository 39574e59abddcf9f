/** The tests of files for which the test with the file's own name is missing or not enough. */
const OTHER_TESTS: Record<string, readonly string[]> = {
  "lib/login/crypto/secp256k1": ["secp256k1", "signature"],
  "lib/hosted/crypto/webhook-signature": ["verify-examples"],
  "lib/login/recovery/store/recovery": ["recovery", "recovery-code"],
  "lib/wallet/host-name": ["host-name", "delegation-file"],
  "lib/wallet/answer-code": ["answer-code", "send-response"],
  "lib/wallet/read-answer": ["send-response"],
};

/**
 * The files to mutate, with the tests that have to notice: code that decides only by its arguments, which is formats,
 * keys and signatures, the wallet's checks, times, names and headers. The tests are named, since all those that merely
 * import a file take minutes and were not written for it.
 */
export const MUTATED = withTests("test", {
  "lib/login/protocol": ["challenge", "qr-payload", "paths"],
  "lib/login/crypto": ["public-key", "signature", "secp256k1"],
  "lib/login/server": ["cookies"],
  "lib/login/fast": ["protocol"],
  "lib/login/fast/crypto": ["bitcoin-address", "bitcoin-message"],
  "lib/hosted/contract": ["hostname", "page"],
  "lib/hosted/crypto": ["webhook-signature", "secret-box"],
  "lib/hosted/events": ["retry-schedule", "fair-queue"],
  "lib/login/http": ["client-address"],
  "lib/platform/net": ["outbound-policy"],
  "lib/routes": ["route-pattern"],
  "lib/wallet": [
    ...["delegation-file", "host-name", "ask-domain", "read-payload", "check-payload", "answer-code"],
    ...["wallet-response", "bitcoin-address", "derive-key", "request", "look-alike", "seed", "send-response"],
    "read-answer",
  ],
});

/**
 * Stores whose SQL is mutated, with the tests that have to notice. They run the statements themselves, against
 * PostgreSQL, without a build or a server.
 */
export const STORES = withTests("integration.test", {
  "lib/login/store": ["accept-response", "redeem-login", "browser-session", "login-session", "prune"],
  "lib/login/recovery/store": ["recovery-code", "recovery", "take-effect"],
});

function withTests(suffix: string, folders: Record<string, string[]>): Readonly<Record<string, string[]>> {
  const files = Object.entries(folders).flatMap(([folder, names]) =>
    names.map((name) => {
      const tests = OTHER_TESTS[`${folder}/${name}`] ?? [name];
      return [`${folder}/${name}.ts`, tests.map((test) => `${folder}/${test}.${suffix}.ts`)];
    }),
  );
  return Object.fromEntries(files);
}
