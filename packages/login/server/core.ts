import type { Database } from "../database/database.ts";
import type { LoginCookie } from "./cookies.ts";

export type LoginFlow = "login" | "fast" | "hosted";

/** For logs, metrics and the site. A step contains no secret except the sid. */
export type LoginStep = {
  requestId: string;
  flow: LoginFlow;
  /** Null if the request does not contain the sid of a known login. */
  sid: string | null;
  outcome: "issued" | "authenticated" | "unregistered" | "refused" | "signed_in" | "not_signed_in" | "undone";
  reason?: LoginFailureReason;
};

export type LoginFailureReason =
  | "challenge_unknown"
  | "challenge_expired"
  | "challenge_used"
  | "invalid_signature"
  | "intent_mismatch"
  | "unknown_key"
  | "foreign_key"
  | "added_key"
  | "not_mine"
  | "no_cookie"
  | "nothing_to_redeem";

/** Valid only while there is a row with this `browserSessionId`. */
export type TokenClaims = { browserSessionId: string; userId: number };

export type SessionTokenCodec = {
  cookie: LoginCookie;
  encode(claims: TokenClaims, secret: string): Promise<string>;
  /**
   * Accepts a token that was created with one of the secrets.
   * @throws if the token is not valid
   */
  decode(token: string, secrets: readonly string[]): Promise<Record<string, unknown> | null>;
};

export type LoginCore = {
  /** Its hostname is the domain in every challenge. */
  readonly origin: URL;
  readonly qrFormat: "svc" | "https";
  /** The first secret encrypts session tokens. During a rotation, the other secrets still decrypt them. */
  readonly secrets: readonly [current: string, ...previous: string[]];
  readonly database: Database;
  /** Null if the site only uses another library's sessions. */
  readonly tokens: SessionTokenCodec | null;
  readonly afterLogin: string;
  readonly addedKeyPage: string;
  /** If an undo does not sign out the browser, wallets do not get an undo URL. */
  readonly offersUndo: () => boolean;
  /** The same in every process of the site. */
  readonly now: () => Date;
  readonly onStep: (step: LoginStep) => void;
};

export function isSecure({ origin }: LoginCore): boolean {
  return origin.protocol === "https:";
}
