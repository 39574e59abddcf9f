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

/** Creates a challenge, without issuing it to a login session. */
export function createChallenge(issuedAt: Date, action: Action, domain: string) {
  /** The time of issue in Unix seconds. The challenge and the QR payload (`ts`) both contain it. */
  const timestamp = unixSeconds(issuedAt);
  return { timestamp, challenge: formatChallenge({ action, domain, timestamp, nonce: generateNonce() }) };
}

type LoginRequest = {
  requestId: string;
  action: Action;
  /** The sid of the login session to continue. Ignored if that session has ended or is not bound to this browser. */
  sid: string | null;
  /** The secret in the browser's cookie. */
  secret: string | null;
  /** The code's purpose, or null to sign in. */
  intent: CodeIntent | null;
  browser: AskingBrowser;
  /** The limit against which the request counts, or null. */
  limit: RequestCounter | null;
};

/**
 * Starts a login for this browser, or refreshes the code of its current login (docs/protocol.md#31-get-apisvcqr).
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

/** Describes how a flow issues challenges. */
export type IssuingFlow = {
  name: "login" | "fast";
  /** How many of a session's newest challenges are kept, or null to keep every challenge until it expires. */
  challengesKept: number | null;
  /** Whether the browser of an answered session gets neither a new challenge nor a new session. */
  endsWhenAnswered: boolean;
};

/**
 * The name of a code's purpose: the intent that wallets show, plus a suffix if several kinds of codes share that intent
 * (`shown_intent` in `sql/accept.sql`).
 */
export type IntentName = Intent | `${Intent}_${string}`;

/**
 * The purpose of a code that is not for signing in. `askedBy` identifies the browser session, the recovery or the
 * site's user that requested the code.
 */
export type CodeIntent = { intent: IntentName; askedBy: string };

/** Returns the intent that wallets show, or null for a code that signs in. */
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

/** The data that is stored about a browser that requests a code, so that the user can recognise the browser. */
export type AskingBrowser = {
  userAgent: string | null;
  /**
   * Identifies the browser's network without revealing the IP address (`computeNetworkTag`). Null if the address is
   * unknown.
   */
  network: Uint8Array | null;
  /** SHA-256 of the browser's known-browser cookie, or null if the browser does not have one. */
  knownBrowserHash: Uint8Array | null;
};

type IssuedChallenge = { sid: string; keepsSecret: boolean; answered: boolean };

/**
 * Issues a challenge for this browser's login session `sid`, or for a new session if that one has ended. The browser
 * keeps its secret until all of its login sessions have ended, and then gets a new secret.
 * @param input.intent the code's purpose, or null to sign in. A session's intent never changes
 * @param limit the limit against which the request counts, or null
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
