import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as delegation from "@svc/wallet/delegation-file";
import * as cache from "@svc/wallet/fetch-delegation";
import {
  FAST_LIFETIME_SECONDS,
  MAX_PAYLOAD_CHARACTERS,
  CHALLENGE_LIFETIME_SECONDS as WALLETS_LIFETIME,
} from "@svc/wallet/read-payload";
import { MIN_PASSPHRASE_CHARACTERS, makePassphraseProtection } from "@svc/wallet/sealed-seed";
import { ATTEMPT_TIMEOUT_SECONDS } from "@svc/wallet/send-response";
import { MAX_CLOCK_SKEW_SECONDS } from "@svc/wallet/site-clock";
import { expect, test } from "vitest";
import * as conformanceRuns from "#lib/conformance-runs/run.ts";
import * as hosted from "#lib/hosted/numbers.ts";
import { IDLE_LIMIT_MS } from "#packages/login/client/use-login.ts";
import * as platform from "#packages/login/http/numbers.ts";
import * as fast from "#packages/login/plugins/fast/protocol.ts";
import * as login from "#packages/login/protocol/numbers.ts";
import { newNonce, newSessionId } from "#packages/login/server/random.ts";

/**
 * The documented numbers, each written a second time, because a test that reads a number from its constant accepts
 * any value. Changing a number here changes a promise to other people.
 */

const LOOKS = readFileSync(join(import.meta.dirname, "../../packages/react/styles.css"), "utf8");

const sqlOf = (path: string) => readFileSync(join(import.meta.dirname, "../../packages/login", path), "utf8");
const APPROVAL_AGE = /approval_age\(\).*interval '([^']+)'/.exec(
  sqlOf("plugins/approvals/sql/asking-session.sql"),
);
const NOTICE_AGE = /notice_age\(\).*interval '([^']+)'/.exec(sqlOf("plugins/account/sql/history.sql"));
const RECENT_LOGINS = /recent_logins\(.*?interval '([^']+)'/s.exec(sqlOf("sql/end-sessions.sql"));

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

test.each<[what: string, is: unknown, promised: unknown]>([
  // docs/protocol.md#11-challenge, #12-qr-payload, #3-login
  ["a challenge lives", login.CHALLENGE_LIFETIME_SECONDS, 30],
  ["a challenge lives, as the wallet has it", WALLETS_LIFETIME, 30],
  ["a new code is asked for every", login.QR_REFRESH_SECONDS, 30],
  ["a sign-in counts as an approval, in SQL, for", APPROVAL_AGE?.[1], "10 minutes"],
  ["twice the life of a login, in SQL, is", RECENT_LOGINS?.[1], "20 minutes"],
  ["the ring around a code runs down in", /countdown (\d+s)/.exec(LOOKS)?.[1], "30s"],
  ["the status is asked for every", login.POLL_INTERVAL_SECONDS, 5],
  ["characters in a nonce", login.NONCE_LENGTH, 32],
  ["a login that is not refreshed lives", login.LOGIN_SESSION_IDLE_SECONDS, 10 * MINUTE],
  ["an ended login is known as ended for", login.LOGIN_SESSION_RETENTION_SECONDS, DAY],
  ["a login's history is kept", login.LOGIN_EVENT_RETENTION_SECONDS, 30 * DAY],
  ["an approval lasts", login.APPROVAL_SECONDS, 10 * MINUTE],
  ["changes are shown to a browser that signs in for", NOTICE_AGE?.[1], "7 days"],
  ["a page that nobody uses asks for codes for", IDLE_LIMIT_MS, 5 * MINUTE * 1000],
  // docs/protocol.md#6-fast-login
  ["challenges of a fast session", fast.FAST_CHALLENGE_LIMIT, 4],
  ["a challenge of fast login lives", fast.FAST_CHALLENGE_LIFETIME_SECONDS, 2 * MINUTE],
  ["a challenge of fast login lives, as the wallet has it", FAST_LIFETIME_SECONDS, 2 * MINUTE],
  // docs/protocol.md#2-rules-for-every-endpoint
  ["a target's bytes", platform.URI_LIMIT_BYTES, 4096],
  ["fields in a query", platform.FIELDS_LIMIT, 64],
  ["headers' bytes", platform.HEADERS_LIMIT_BYTES, 16_384],
  ["a body's bytes", platform.BODY_LIMIT_BYTES, 65_536],
  ["a body arrives within", platform.BODY_DEADLINE_SECONDS, 10],
  ["codes a minute", platform.REQUESTS_PER_MINUTE.qr, 120],
  ["wallet responses a minute", platform.REQUESTS_PER_MINUTE["webhook-login"], 120],
  ["polls a minute", platform.REQUESTS_PER_MINUTE.check, 1200],
  // docs/conformance.md#a-wallet-on-a-phone
  ["runs of the conformance kit a minute", platform.REQUESTS_PER_MINUTE["conformance-runs"], 10],
  ["answers to the conformance kit a minute", platform.REQUESTS_PER_MINUTE["conformance-answers"], 120],
  ["what a run's page asks a minute", platform.REQUESTS_PER_MINUTE["conformance-run"], 1200],
  ["a run of the conformance kit lives", conformanceRuns.RUN_SECONDS, HOUR],
  ["failures with API keys a minute", platform.REQUESTS_PER_MINUTE["failed-key"], 60],
  ["failures to sign in a minute", platform.REQUESTS_PER_MINUTE["failed-sign-in"], 60],
  ["failures to enter a minute", platform.REQUESTS_PER_MINUTE["failed-entrance"], 60],
  ["pages a minute", platform.REQUESTS_PER_MINUTE.page, 600],
  ["requests to the account a minute and client", platform.REQUESTS_PER_MINUTE.account, 120],
  ["exports a day and user", platform.REQUESTS_PER_DAY["account-export"], 10],
  ["tries of recovery codes an hour and client", platform.REQUESTS_PER_HOUR.recovery, 5],
  ["checks of recovery codes an hour and client", platform.REQUESTS_PER_HOUR["recovery-check"], 5],
  ["wrong recovery codes an hour before a warning", login.WRONG_CODES_WARNED_PER_HOUR, 100],
  ["test events to domains not verified an hour", platform.REQUESTS_PER_HOUR["unverified-test-event"], 10],
  ["a recovery's permission lasts", login.RECOVERY_PERMISSION_SECONDS, 15 * MINUTE],
  ["what became of a recovery is kept for", login.RECOVERY_RETENTION_SECONDS, 30 * DAY],
  [
    "sessions a minute that one client costs a customer",
    platform.REQUESTS_PER_MINUTE["customer-session"],
    20,
  ],
  ["codes a minute that one client costs a customer", platform.REQUESTS_PER_MINUTE["customer-qr"], 60],
  ["clients whose share a /48 has", platform.CLIENTS_PER_NETWORK, 8],
  ["POST /sessions a minute", platform.TENANT_LIMITS_PER_MINUTE.create_session, 100],
  ["GET /sessions/* a minute", platform.TENANT_LIMITS_PER_MINUTE.read_session, 300],
  ["POST /verify a minute", platform.TENANT_LIMITS_PER_MINUTE.verify, 200],
  ["an event stream ends after", platform.EVENT_STREAM_SECONDS, MINUTE],
  // docs/protocol.md#5-hosted-login
  ["an Idempotency-Key counts for", hosted.IDEMPOTENCY_SECONDS, DAY],
  ["an authenticated session can be read for", hosted.AUTHENTICATED_READABLE_SECONDS, DAY],
  ["custom_data's bytes", hosted.CUSTOM_DATA_LIMIT_BYTES, 4096],
  ["an outbound request ends after", platform.OUTBOUND_DEADLINE_SECONDS, 15],
  ["an outbound answer's bytes", platform.OUTBOUND_ANSWER_LIMIT_BYTES, 65_536],
  ["a rotated secret is used for", hosted.ROTATED_SECRET_SECONDS, DAY],
  ["the longest Retry-After", hosted.EVENT_RETRY_AFTER_LIMIT_SECONDS, DAY],
  // docs/protocol.md#9-delegation
  ["a delegation's bytes", delegation.DELEGATION_LIMIT_BYTES, 8192],
  ["a delegation is waited for", delegation.DELEGATION_DEADLINE_SECONDS, 3],
  ["hosts in a delegation", delegation.MAX_WEBHOOK_HOSTS, 5],
  ["a delegation is looked at every", hosted.DELEGATION_CHECK_SECONDS, DAY],
  ["a wallet keeps a delegation at least", cache.MIN_CACHE_SECONDS, 5 * MINUTE],
  ["a wallet keeps a delegation at most", cache.MAX_CACHE_SECONDS, 48 * HOUR],
  ["a wallet keeps a delegation otherwise", cache.DEFAULT_CACHE_SECONDS, DAY],
  ["a wallet keeps a failure", cache.FAILURE_CACHE_SECONDS, 5 * MINUTE],
  // The wallet's.
  ["a clock may be off by", MAX_CLOCK_SKEW_SECONDS, 30],
  ["a passphrase's characters", MIN_PASSPHRASE_CHARACTERS, 10],
  ["a payload's characters", MAX_PAYLOAD_CHARACTERS, 4096],
  ["an attempt to deliver ends after", ATTEMPT_TIMEOUT_SECONDS, 10],
  // Ours.
  ["a browser stays signed in for", login.BROWSER_SESSION_SECONDS, 7 * DAY],
  ["a sign-in without an answer is repeated for", login.SIGN_IN_REPEATED_SECONDS, MINUTE],
])("%s %j", (_what, is, promised) => {
  expect(is).toBe(promised);
});

test("attempts an event 13 times, over about three days", () => {
  expect(hosted.EVENT_RETRY_SECONDS).toEqual([
    ...[5, 30],
    ...[2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
    ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 20 * HOUR, DAY],
  ]);
});

test("makes a different nonce of 32 letters and digits each time", () => {
  const nonces = Array.from({ length: 200 }, newNonce);
  for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(new Set(nonces).size).toBe(200);
  // Every one of the 62 is used: the chance that one is missing in 6,400 is 1 in 10^43.
  expect(new Set(nonces.join("")).size).toBe(62);
});

test("makes a different session identifier of 128 random bits each time", () => {
  const ids = Array.from({ length: 200 }, newSessionId);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(new Set(ids).size).toBe(200);
  const bits = ids.map((id) =>
    [...Buffer.from(id, "base64url")].map((byte) => byte.toString(2).padStart(8, "0")).join(""),
  );
  // Each bit has both values: the chance that one of them has not is 1 in 10^57.
  const varying = Array.from({ length: 128 }, (_, at) => new Set(bits.map((text) => text[at])).size);
  expect(varying).toEqual(Array(128).fill(2));
});

test("derives a key from a passphrase with OWASP's preferred scrypt parameters and a salt of 16 bytes", () => {
  expect(makePassphraseProtection()).toEqual({
    by: "passphrase",
    salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    n: 131_072,
    r: 8,
    p: 1,
  });
});
