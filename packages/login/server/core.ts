import type { Database } from "../database/database.ts";
import type { LoginCookie } from "./cookies.ts";

/** The kind of login that a step belongs to: the site's own, the fast login, or the hosted API's. */
export type LoginFlow = "login" | "fast" | "hosted";

/** One step of a login, for logs, metrics and the site. The sid is the only secret that it contains. */
export type LoginStep = {
  requestId: string;
  flow: LoginFlow;
  /** Null if the request does not contain the sid of a known login. */
  sid: string | null;
  outcome: "issued" | "authenticated" | "unregistered" | "refused" | "signed_in" | "not_signed_in" | "undone";
  reason?: LoginReason;
};

/** Why a step of a login failed. */
export type LoginReason =
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

/** The token's payload. The token is valid only if a row with this `browserSessionId` exists. */
export type TokenClaims = { browserSessionId: string; userId: number };

/** The form of the token in a signed-in browser's cookie. */
export type SessionTokens = {
  cookie: LoginCookie;
  encode(claims: TokenClaims, secret: string): Promise<string>;
  /** Decodes the payload of a token that was created with one of the secrets. @throws for any other string */
  decode(token: string, secrets: readonly string[]): Promise<Record<string, unknown> | null>;
};

/** The dependencies of every use case. */
export type LoginCore = {
  /** The site's public origin; its hostname is the domain of every challenge. */
  readonly origin: URL;
  /** The form of the QR payload. */
  readonly qrFormat: "svc" | "https";
  /** The first secret encrypts session tokens. The others only decrypt them, during a rotation. */
  readonly secrets: readonly [current: string, ...previous: string[]];
  readonly database: Database;
  /** Null if the site only uses another library's sessions. */
  readonly tokens: SessionTokens | null;
  /** The path to which a browser goes after it is signed in. */
  readonly afterLogin: string;
  /** The path of the page that asks the holder of an added key for consent before they are signed in. */
  readonly addedKeyPage: string;
  /** Whether an undo signs the browser out. If not, wallets do not get an undo URL. */
  readonly offersUndo: () => boolean;
  /** The current time, which is the same in every process of the site. */
  readonly now: () => Date;
  readonly onStep: (step: LoginStep) => void;
};

/** Returns whether the site is served over HTTPS, so that cookies can require it. */
export function isSecure({ origin }: LoginCore): boolean {
  return origin.protocol === "https:";
}
