/** The tests to run for files whose own test is missing or not sufficient. */
const OTHER_TESTS: Record<string, readonly string[]> = {
  "packages/login/crypto/secp256k1": ["secp256k1", "signature"],
  "lib/hosted/crypto/webhook-signature": ["verify-examples"],
  "packages/wallet/url": ["url", "delegation-file"],
  "packages/wallet/answer-code": ["answer-code", "send-response"],
  "packages/wallet/read-service-reply": ["send-response"],
};

/**
 * Code whose result depends only on its arguments. The tests that should notice a change are listed, because running
 * every test that imports a file would take minutes.
 */
export const MUTATED_FILES = withTests("test", {
  "packages/login/protocol": ["challenge", "qr-payload", "paths"],
  "packages/login/crypto": ["public-key", "signature", "secp256k1"],
  "packages/login/server": ["cookies"],
  "packages/login/plugins/fast": ["protocol"],
  "packages/login/plugins/fast/crypto": ["bitcoin-address", "bitcoin-message"],
  "lib/hosted/contract": ["hostname", "page"],
  "lib/hosted/crypto": ["webhook-signature", "secret-box"],
  "lib/hosted/events": ["retry-schedule", "fair-queue"],
  "packages/login/http": ["client-address"],
  "lib/platform/net": ["outbound-policy"],
  "lib/routes": ["route-pattern"],
  "packages/wallet": [
    ...["delegation-file", "url", "fetch-delegation", "read-payload", "check-payload", "answer-code"],
    ...["wallet-response", "bitcoin-address", "derive-key", "request", "look-alike", "seed", "send-response"],
    "read-service-reply",
  ],
});

const store = (...names: string[]) =>
  names.map((name) => `packages/login/server/${name}.integration.test.ts`);
const account = (...names: string[]) =>
  names.map((name) => `packages/login/plugins/account/store/${name}.integration.test.ts`);
const recovery = (...names: string[]) =>
  names.map((name) => `packages/login/plugins/recovery/store/${name}.integration.test.ts`);

const HOSTED = ["lib/hosted/transitions.integration.test.ts"];

/** These tests run the statements directly in PostgreSQL, without a build or a server. */
export const MUTATED_SQL: Readonly<Record<string, string[]>> = {
  "packages/login/sql/accept.sql": store("accept-response"),
  "packages/login/plugins/added-keys/sql/added-key.sql": [...account("credential"), ...store("redeem-login")],
  "packages/login/sql/check.sql": store("login-session"),
  "packages/login/sql/count-request.sql": ["packages/login/http/request-limit.integration.test.ts"],
  "packages/login/sql/credential.sql": [
    ...store("accept-response", "redeem-login"),
    ...recovery("take-effect"),
  ],
  "packages/login/sql/end-sessions.sql": store("browser-session", "bounds"),
  "packages/login/sql/issue.sql": store("login-session"),
  "packages/login/sql/prune.sql": store("prune"),
  "packages/login/sql/redeem.sql": store("redeem-login", "bounds"),
  "packages/login/sql/undo.sql": store("undo-login"),
  "packages/login/plugins/added-keys/sql/add.sql": [...account("credential"), ...store("accept-response")],
  "packages/login/plugins/account/sql/end-own-sessions.sql": account("sessions"),
  "packages/login/plugins/account/sql/history.sql": [...account("history"), ...store("piled-up")],
  "packages/login/plugins/account/sql/sign-in-methods.sql": account("credential", "history"),
  "packages/login/plugins/approvals/sql/approve.sql": store("redeem-login", "accept-response"),
  "packages/login/plugins/approvals/sql/asking-session.sql": [
    ...account("credential"),
    ...recovery("recovery-code"),
  ],
  "packages/login/plugins/customer/sql/redeem-hosted.sql": [
    "packages/login/plugins/customer/store/hosted-store.integration.test.ts",
  ],
  "packages/login/plugins/recovery/sql/codes.sql": recovery("recovery-code", "recovery"),
  "packages/login/plugins/recovery/sql/recover.sql": [
    ...store("accept-response"),
    ...recovery("take-effect"),
  ],
  "packages/login/plugins/recovery/sql/take-effect.sql": recovery("take-effect"),
  "lib/hosted/domains/sql/rotate-secret.sql": HOSTED,
  "lib/hosted/events/sql/claim-event.sql": HOSTED,
  "lib/hosted/events/sql/queue-event.sql": HOSTED,
  "lib/hosted/events/sql/record-attempt.sql": HOSTED,
  "lib/hosted/sessions/sql/accept-response.sql": HOSTED,
  "lib/hosted/sessions/sql/create-session.sql": HOSTED,
};

function withTests(suffix: string, folders: Record<string, string[]>): Readonly<Record<string, string[]>> {
  const files = Object.entries(folders).flatMap(([folder, names]) =>
    names.map((name) => {
      const tests = OTHER_TESTS[`${folder}/${name}`] ?? [name];
      return [`${folder}/${name}.ts`, tests.map((test) => `${folder}/${test}.${suffix}.ts`)];
    }),
  );
  return Object.fromEntries(files);
}
