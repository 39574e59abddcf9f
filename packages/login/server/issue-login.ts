import type { Database } from "../database/database.ts";
import { callSqlFunction, type RequestCounter, sqlFunction } from "../database/sql-function.ts";
import { type Action, formatChallenge } from "../protocol/challenge.ts";
import type { QrAnswer } from "../protocol/messages.ts";
import {
  addSeconds,
  CHALLENGE_LIFETIME_SECONDS,
  LOGIN_SESSION_IDLE_SECONDS,
  unixSeconds,
} from "../protocol/numbers.ts";
import { formatHttpsQr, formatSvcUri, type Intent, parseIntent } from "../protocol/qr-payload.ts";
import type { LoginCore } from "./core.ts";
import { generateNonce, generateSecret, generateSessionId, hashSecret } from "./random.ts";

// Challenges are kept until they expire. Once a login session has been answered, the browser's next code starts a new
// one.
const FLOW: IssuingFlow = { name: "login", challengesKept: null, endsWhenAnswered: false };

export function createChallenge(issuedAt: Date, action: Action, domain: string) {
  /** The challenge and the QR payload (`ts`) both contain the time of issue. */
  const timestamp = unixSeconds(issuedAt);
  return { timestamp, challenge: formatChallenge({ action, domain, timestamp, nonce: generateNonce() }) };
}

type LoginRequest = {
  requestId: string;
  action: Action;
  /** Ignored if that login session has ended or is not bound to this browser. */
  sid: string | null;
  secret: string | null;
  intent: CodeIntent | null;
  browser: AskingBrowser;
  limit: RequestCounter | null;
};

/**
 * Refreshes the code of the browser's current login, if it has one (docs/protocol.md#31-get-apisvcqr).
 * @returns the response, and the new value of the browser's binding cookie
 */
export async function issueLogin(
  core: LoginCore,
  { requestId, action, sid: requested, secret, intent, browser, limit }: LoginRequest,
): Promise<{ answer: QrAnswer; secret: string }> {
  const now = core.now();
  const { timestamp: ts, challenge } = createChallenge(now, action, core.origin.hostname);
  const newBrowserSecret = generateSecret();
  const issued = {
    now,
    flow: FLOW,
    challenge,
    sid: requested,
    newSid: generateSessionId(),
    browserHash: secret ? hashSecret(secret) : null,
    newBrowserHash: hashSecret(newBrowserSecret),
    intent,
    browser,
  };
  const { sid, keepsSecret } = await issueChallenge(core.database, issued, limit);
  core.onStep({ requestId, flow: "login", sid, outcome: "issued" });
  const payload = {
    webhook: `${core.origin.origin}/webhook/${action}`,
    session: sid,
    challenge,
    ts,
    intent: getWalletIntent(intent),
  };
  const qr = core.qrFormat === "https" ? formatHttpsQr(payload) : formatSvcUri(payload);
  return {
    answer: { sid, challenge, qr, expiresAt: ts + CHALLENGE_LIFETIME_SECONDS },
    secret: keepsSecret && secret ? secret : newBrowserSecret,
  };
}

export type IssuingFlow = {
  name: "login" | "fast";
  /** Null keeps every challenge until it expires. */
  challengesKept: number | null;
  /** The browser of an answered session gets neither a new challenge nor a new session. */
  endsWhenAnswered: boolean;
};

/**
 * The intent that wallets show, plus a suffix if several kinds of codes share that intent (`shown_intent` in
 * `sql/accept.sql`).
 */
export type IntentName = Intent | `${Intent}_${string}`;

/** `askedBy` identifies the browser session, the recovery or the site's user that requested the code. */
export type CodeIntent = { intent: IntentName; askedBy: string };

export const getWalletIntent = (codeIntent: CodeIntent | null): Intent | null =>
  parseIntent(codeIntent?.intent.split("_")[0]);

const ISSUE = sqlFunction("issue", [
  "now",
  "flow",
  "challenge",
  "sid",
  "browserHash",
  "newSid",
  "newBrowserHash",
  "intent",
  "askedBy",
  "userAgent",
  "network",
  "knownBrowserHash",
  "aliveSince",
  "challengesKept",
  "endsWhenAnswered",
]);

/** Stored, so that the user can recognise the browser. */
export type AskingBrowser = {
  userAgent: string | null;
  /** Does not reveal the IP address (`computeNetworkTag`). Null if the address is unknown. */
  network: Uint8Array | null;
  /** SHA-256 of the known-browser cookie, or null if the browser does not have one. */
  knownBrowserHash: Uint8Array | null;
};

type IssuedChallenge = { sid: string; keepsSecret: boolean; answered: boolean };

/**
 * Starts a new session if the login session `sid` has ended. The browser keeps its secret until all of its login
 * sessions have ended, and then gets a new secret.
 * @param input.intent null to sign in. A session's intent never changes
 * @returns the session's sid, and whether the browser keeps its secret. `answered` is true if a wallet has already
 * answered, in which case no challenge was issued
 */
export async function issueChallenge(
  database: Database,
  input: {
    now: Date;
    flow: IssuingFlow;
    challenge: string;
    sid: string | null;
    newSid: string;
    browserHash: Uint8Array | null;
    newBrowserHash: Uint8Array;
    intent: CodeIntent | null;
    browser: AskingBrowser;
  },
  limit: RequestCounter | null = null,
): Promise<IssuedChallenge> {
  const { flow, intent, browser, ...issued } = input;
  const values = {
    ...issued,
    ...browser,
    flow: flow.name,
    challengesKept: flow.challengesKept,
    endsWhenAnswered: flow.endsWhenAnswered,
    intent: intent?.intent ?? null,
    askedBy: intent?.askedBy ?? null,
    aliveSince: addSeconds(input.now, -LOGIN_SESSION_IDLE_SECONDS),
  };
  const answer = await callSqlFunction<IssuedChallenge>(database, ISSUE, values, limit);
  if (!answer) throw new Error("issue() returned no row");
  return answer;
}
