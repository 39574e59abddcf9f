import { LOGIN_SESSION_IDLE_SECONDS } from "../protocol/numbers.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import { addSeconds } from "../protocol/time.ts";
import type { RequestCount } from "./count-request.ts";
import type { Database } from "./database.ts";
import { call, sqlFunction } from "./sql-function.ts";

/** What differs between flows when a challenge is issued to a browser. */
export type IssuingFlow = {
  name: "login" | "fast";
  /** How many challenges of a session are kept, the newest; null keeps each until it expires. */
  challengesKept: number | null;
  /** True if an answered session does not get a new challenge and is not replaced by a new session. */
  endsWhenAnswered: boolean;
};

/** A code's purpose, if not to sign in. `askedBy` is the browser's session, or its recovery. */
export type CodeIntent = { intent: Intent; askedBy: string };

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

/** The stored description of the browser that requests a code, so that its user can recognise it. */
export type AskingBrowser = {
  userAgent: string | null;
  /** Distinguishes its network from another without revealing it (`networkTag`); null if its address is unknown. */
  network: Uint8Array | null;
  /** SHA-256 of the word by which accounts know it again; null if it has none. */
  knownBrowserHash: Uint8Array | null;
};

type IssuedChallenge = { sid: string; keepsSecret: boolean; answered: boolean };

/**
 * Issues a challenge for the live session `sid` of this browser, or else for a new session. The browser keeps its secret
 * as long as one of its sessions lives; otherwise the secret is replaced.
 * @param input.intent the code's purpose, if not to sign in; it never changes within a session
 * @param limit counts the request
 * @returns the session's sid, and whether the browser keeps its secret; `answered` when a wallet has answered and no
 *   challenge was issued
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
  limit: RequestCount | null = null,
): Promise<IssuedChallenge> {
  const { flow, intent, browser, ...issued } = input;
  const asked = {
    ...issued,
    ...browser,
    flow: flow.name,
    challengesKept: flow.challengesKept,
    endsWhenAnswered: flow.endsWhenAnswered,
    intent: intent?.intent ?? null,
    askedBy: intent?.askedBy ?? null,
    aliveSince: addSeconds(input.now, -LOGIN_SESSION_IDLE_SECONDS),
  };
  const answer = await call<IssuedChallenge>(database, ISSUE, asked, limit);
  if (!answer) throw new Error("issue() returned no row");
  return answer;
}

/** The columns that determine the status of a login session. */
export type LoginSessionState = {
  status: "pending" | "unregistered" | "authenticated";
  userId: number | null;
  challengedAt: Date;
  browserHash: Uint8Array | null;
  /** It was undone. */
  isUndone: boolean;
};

const CHECK_LOGIN = sqlFunction("check_login", ["loginSid"]);

/**
 * The state of a login session; null for a sid that the server did not make, or has deleted.
 * @param limit counts the request
 */
export async function findLoginSession(
  database: Database,
  sid: string,
  limit: RequestCount | null = null,
): Promise<LoginSessionState | null> {
  return call<LoginSessionState>(database, CHECK_LOGIN, { loginSid: sid }, limit);
}
