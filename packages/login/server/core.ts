import type { Database } from "../database/database.ts";
import type { LoginCookie } from "./cookies.ts";

/** The kind of login to which a step belongs: the site's own, the fast login or a hosted login. */
export type LoginFlow = "login" | "fast" | "hosted";

/** One step of a login, for logs, metrics and the site. A step contains no secret except the sid. */
export type LoginStep = {
  requestId: string;
  flow: LoginFlow;
  /** Null if the request does not contain the sid of a known login. */
  sid: string | null;
  outcome: "issued" | "authenticated" | "unregistered" | "refused" | "signed_in" | "not_signed_in" | "undone";
  reason?: LoginFailureReason;
};

/** The reasons why a step of a login can fail. */
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

/** A session token's payload. The token is valid only while there is a row with this `browserSessionId`. */
export type TokenClaims = { browserSessionId: string; userId: number };

/** The format of the token in a signed-in browser's cookie. */
export type SessionTokenCodec = {
  cookie: LoginCookie;
  encode(claims: TokenClaims, secret: string): Promise<string>;
  /**
   * Decodes a token that was created with one of the secrets.
   * @throws if the token is not valid
   */
  decode(token: string, secrets: readonly string[]): Promise<Record<string, unknown> | null>;
};

/** The parts of a login that every use case needs. */
export type LoginCore = {
  /** The site's public origin. Its hostname is the domain in every challenge. */
  readonly origin: URL;
  /** The form of QR payloads. */
  readonly qrFormat: "svc" | "https";
  /** The first secret encrypts session tokens. During a rotation, the other secrets still decrypt them. */
  readonly secrets: readonly [current: string, ...previous: string[]];
  readonly database: Database;
  /** Null if the site only uses another library's sessions. */
  readonly tokens: SessionTokenCodec | null;
  /** The path that a browser opens after it has been signed in. */
  readonly afterLogin: string;
  /** The path of the page that asks the holder of an added key for consent. */
  readonly addedKeyPage: string;
  /** Returns whether an undo signs out the browser. If not, wallets do not get an undo URL. */
  readonly offersUndo: () => boolean;
  /** Returns the current time, which is the same in every process of the site. */
  readonly now: () => Date;
  readonly onStep: (step: LoginStep) => void;
};

/** Returns whether the site uses HTTPS, so that its cookies can require HTTPS. */
export function isSecure({ origin }: LoginCore): boolean {
  return origin.protocol === "https:";
}
