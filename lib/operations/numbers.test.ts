import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as delegation from "@svc/wallet/delegation-file";
import * as cache from "@svc/wallet/fetch-delegation";
import {
  FAST_CHALLENGE_LIFETIME_SECONDS,
  MAX_PAYLOAD_CHARACTERS,
  CHALLENGE_LIFETIME_SECONDS as WALLETS_LIFETIME,
} from "@svc/wallet/read-payload";
import { createPassphraseProtection, MIN_PASSPHRASE_CHARACTERS } from "@svc/wallet/sealed-seed";
import { ATTEMPT_TIMEOUT_SECONDS } from "@svc/wallet/send-response";
import { MAX_CLOCK_SKEW_SECONDS } from "@svc/wallet/site-clock";
import { expect, test } from "vitest";
import * as conformanceRuns from "#lib/conformance-runs/run.ts";
import * as hosted from "#lib/hosted/numbers.ts";
import { IDLE_TIMEOUT_MS } from "#packages/login/client/use-login.ts";
import * as platform from "#packages/login/http/numbers.ts";
import * as fast from "#packages/login/plugins/fast/protocol.ts";
import * as login from "#packages/login/protocol/numbers.ts";
import { generateNonce, generateSessionId } from "#packages/login/server/random.ts";

/**
 * The documented numbers. They are repeated here because a test that used the constants would accept any value.
 * Changing a number here breaks a promise to others.
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
  ["the life of a challenge", login.CHALLENGE_LIFETIME_SECONDS, 30],
  ["the life of a challenge in the wallet", WALLETS_LIFETIME, 30],
  ["the time between two codes", login.QR_REFRESH_SECONDS, 30],
  ["the time for which a sign-in counts as an approval, in SQL", APPROVAL_AGE?.[1], "10 minutes"],
  ["twice the life of a login, in SQL", RECENT_LOGINS?.[1], "20 minutes"],
  ["the countdown around a code", /countdown (\d+s)/.exec(LOOKS)?.[1], "30s"],
  ["the time between two status requests", login.POLL_INTERVAL_SECONDS, 5],
  ["the characters of a nonce", login.NONCE_LENGTH, 32],
  ["the life of a login that is not refreshed", login.LOGIN_SESSION_IDLE_SECONDS, 10 * MINUTE],
  ["the time for which an ended login is reported as ended", login.LOGIN_SESSION_RETENTION_SECONDS, DAY],
  ["the time for which a login's history is kept", login.LOGIN_EVENT_RETENTION_SECONDS, 30 * DAY],
  ["the life of an approval", login.APPROVAL_SECONDS, 10 * MINUTE],
  ["the time for which changes are shown to a browser that signs in", NOTICE_AGE?.[1], "7 days"],
  ["the time for which an unused page requests codes", IDLE_TIMEOUT_MS, 5 * MINUTE * 1000],
  // docs/protocol.md#6-fast-login
  ["the challenges of a fast session", fast.FAST_CHALLENGE_LIMIT, 4],
  ["the life of a challenge of fast login", fast.FAST_CHALLENGE_LIFETIME_SECONDS, 2 * MINUTE],
  ["the life of a challenge of fast login in the wallet", FAST_CHALLENGE_LIFETIME_SECONDS, 2 * MINUTE],
  // docs/protocol.md#2-rules-for-every-endpoint
  ["the bytes of a target", platform.URI_LIMIT_BYTES, 4096],
  ["the fields of a query", platform.FIELDS_LIMIT, 64],
  ["headers' bytes", platform.HEADERS_LIMIT_BYTES, 16_384],
  ["the bytes of a body", platform.BODY_LIMIT_BYTES, 65_536],
  ["the time for a body to arrive", platform.BODY_DEADLINE_SECONDS, 10],
  ["the codes per minute", platform.REQUESTS_PER_MINUTE.qr, 120],
  ["the wallet responses per minute", platform.REQUESTS_PER_MINUTE["webhook-login"], 120],
  ["the polls per minute", platform.REQUESTS_PER_MINUTE.check, 1200],
  // docs/conformance.md#a-wallet-on-a-phone
  ["the runs of the conformance kit per minute", platform.REQUESTS_PER_MINUTE["conformance-runs"], 10],
  ["the answers to the conformance kit per minute", platform.REQUESTS_PER_MINUTE["conformance-answers"], 120],
  ["the requests of a run's page per minute", platform.REQUESTS_PER_MINUTE["conformance-run"], 1200],
  ["the life of a run of the conformance kit", conformanceRuns.RUN_LIFETIME_SECONDS, HOUR],
  ["the failures with API keys per minute", platform.REQUESTS_PER_MINUTE["failed-key"], 60],
  ["the failed sign-ins per minute", platform.REQUESTS_PER_MINUTE["failed-sign-in"], 60],
  ["the failed sign-ins at /dashboard/enter per minute", platform.REQUESTS_PER_MINUTE["failed-entrance"], 60],
  ["the pages per minute", platform.REQUESTS_PER_MINUTE.page, 600],
  ["the requests to the account per minute and client", platform.REQUESTS_PER_MINUTE.account, 120],
  ["the exports per day and user", platform.REQUESTS_PER_DAY["account-export"], 10],
  ["the attempts with recovery codes per hour and client", platform.REQUESTS_PER_HOUR.recovery, 5],
  ["the checks of recovery codes per hour and client", platform.REQUESTS_PER_HOUR["recovery-check"], 5],
  ["the wrong recovery codes per hour before a warning", login.WRONG_CODES_WARNED_PER_HOUR, 100],
  ["the test events to unverified domains per hour", platform.REQUESTS_PER_HOUR["unverified-test-event"], 10],
  ["the life of a recovery's permission", login.RECOVERY_PERMISSION_SECONDS, 15 * MINUTE],
  ["the time for which a recovery's outcome is kept", login.RECOVERY_RETENTION_SECONDS, 30 * DAY],
  [
    "the sessions per minute that one client may cost a customer",
    platform.REQUESTS_PER_MINUTE["customer-session"],
    20,
  ],
  [
    "the codes per minute that one client may cost a customer",
    platform.REQUESTS_PER_MINUTE["customer-qr"],
    60,
  ],
  ["the clients whose share a /48 has", platform.NETWORK_LIMIT_FACTOR, 8],
  ["POST /sessions per minute", platform.TENANT_LIMITS_PER_MINUTE.create_session, 100],
  ["GET /sessions/* per minute", platform.TENANT_LIMITS_PER_MINUTE.read_session, 300],
  ["POST /verify per minute", platform.TENANT_LIMITS_PER_MINUTE.verify, 200],
  ["the life of an event stream", platform.EVENT_STREAM_LIFETIME_SECONDS, MINUTE],
  // docs/protocol.md#5-hosted-login
  ["the life of an Idempotency-Key", hosted.IDEMPOTENCY_KEY_LIFETIME_SECONDS, DAY],
  [
    "the time for which an authenticated session can be read",
    hosted.AUTHENTICATED_SESSION_READABLE_SECONDS,
    DAY,
  ],
  ["the bytes of custom_data", hosted.CUSTOM_DATA_LIMIT_BYTES, 4096],
  ["the time limit of an outbound request", platform.OUTBOUND_DEADLINE_SECONDS, 15],
  ["the bytes of an outbound response", platform.OUTBOUND_RESPONSE_LIMIT_BYTES, 65_536],
  ["the time for which a rotated secret is used", hosted.PREVIOUS_SECRET_LIFETIME_SECONDS, DAY],
  ["the longest Retry-After", hosted.EVENT_RETRY_AFTER_LIMIT_SECONDS, DAY],
  // docs/protocol.md#9-delegation
  ["the bytes of a delegation", delegation.DELEGATION_LIMIT_BYTES, 8192],
  ["the time limit for a delegation", delegation.DELEGATION_DEADLINE_SECONDS, 3],
  ["the hosts in a delegation", delegation.MAX_WEBHOOK_HOSTS, 5],
  ["the time between two checks of a delegation", hosted.DELEGATION_CHECK_INTERVAL_SECONDS, DAY],
  ["the shortest time for which a wallet caches a delegation", cache.MIN_CACHE_SECONDS, 5 * MINUTE],
  ["the longest time for which a wallet caches a delegation", cache.MAX_CACHE_SECONDS, 48 * HOUR],
  ["the default time for which a wallet caches a delegation", cache.DEFAULT_CACHE_SECONDS, DAY],
  ["the time for which a wallet caches a failure", cache.FAILURE_CACHE_SECONDS, 5 * MINUTE],
  // The wallet's numbers.
  ["the tolerated difference between clocks", MAX_CLOCK_SKEW_SECONDS, 30],
  ["the characters of a passphrase", MIN_PASSPHRASE_CHARACTERS, 10],
  ["the characters of a payload", MAX_PAYLOAD_CHARACTERS, 4096],
  ["the time limit of a delivery attempt", ATTEMPT_TIMEOUT_SECONDS, 10],
  // This project's own numbers.
  ["the time for which a browser stays signed in", login.BROWSER_SESSION_SECONDS, 7 * DAY],
  ["the time for which a sign-in without an answer is repeated", login.SIGN_IN_REPEAT_SECONDS, MINUTE],
])("uses the documented value for %s: %j", (_what, is, documentedValue) => {
  expect(is).toBe(documentedValue);
});

test("makes 13 attempts to send an event, over about three days", () => {
  expect(hosted.EVENT_RETRY_DELAYS_SECONDS).toEqual([
    ...[5, 30],
    ...[2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
    ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 20 * HOUR, DAY],
  ]);
});

test("generates a different nonce of 32 letters and digits each time", () => {
  const nonces = Array.from({ length: 200 }, generateNonce);
  for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(new Set(nonces).size).toBe(200);
  // All 62 characters must occur. The probability that one is missing from 6,400 characters is 1 in 10^43.
  expect(new Set(nonces.join("")).size).toBe(62);
});

test("generates a different session identifier of 128 random bits each time", () => {
  const ids = Array.from({ length: 200 }, generateSessionId);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(new Set(ids).size).toBe(200);
  const bits = ids.map((id) =>
    [...Buffer.from(id, "base64url")].map((byte) => byte.toString(2).padStart(8, "0")).join(""),
  );
  // Every bit must take both values. The probability that one does not is 1 in 10^57.
  const varying = Array.from({ length: 128 }, (_, at) => new Set(bits.map((text) => text[at])).size);
  expect(varying).toEqual(Array(128).fill(2));
});

test("derives a key from a passphrase with OWASP's preferred scrypt parameters and a salt of 16 bytes", () => {
  expect(createPassphraseProtection()).toEqual({
    by: "passphrase",
    salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    n: 131_072,
    r: 8,
    p: 1,
  });
});
