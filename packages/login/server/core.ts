import type { Database } from "../database/database.ts";
import type { OwnCookie } from "./cookies.ts";

/** Which kind of login a step belongs to: the site's own, fast auth, or the hosted API's. */
export type LoginFlow = "login" | "fast" | "hosted";

/** One step of a login, as logs, metrics and the site receive it. Its only secret is the sid. */
export type LoginStep = {
  requestId: string;
  flow: LoginFlow;
  /** Null if the request does not name a known login. */
  sid: string | null;
  outcome: "issued" | "authenticated" | "unregistered" | "refused" | "signed_in" | "not_signed_in" | "undone";
  reason?: LoginReason;
};

/** Why a login went no further. */
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

/** The token's payload; the row that `browserSessionId` names decides whether the token is valid. */
export type TokenClaims = { browserSessionId: string; userId: number };

/** The form of the token in a signed-in browser's cookie. */
export type SessionTokens = {
  cookie: OwnCookie;
  encode(claims: TokenClaims, secret: string): Promise<string>;
  /** The payload of a token made under one of the secrets. @throws for any other text */
  decode(token: string, secrets: readonly string[]): Promise<Record<string, unknown> | null>;
};

/** What every use case works with. An endpoint passes one whose `database` also counts the request. */
export type LoginCore = {
  /** The site's public origin; its hostname is the domain of every challenge. */
  readonly origin: URL;
  /** The form of the QR payload. */
  readonly qrFormat: "svc" | "https";
  /** The first encrypts session tokens. The others only decrypt, while the secret is rotated. */
  readonly secrets: readonly [current: string, ...previous: string[]];
  readonly database: Database;
  /** Null if the site signs browsers in with another library's sessions only. */
  readonly tokens: SessionTokens | null;
  /** Where a browser goes once it is signed in: a path of the origin. */
  readonly afterLogin: string;
  /** Where the holder of an added key is asked before they are signed in. */
  readonly addedKeyPage: string;
  /** Whether an undo signs the browser out: otherwise wallets are offered none. */
  readonly offersUndo: () => boolean;
  /** The time that decides: the same in every process of the site. */
  readonly now: () => Date;
  readonly onStep: (step: LoginStep) => void;
};

/** Whether the site is served over https, so that cookies can require it. */
export function isSecure({ origin }: LoginCore): boolean {
  return origin.protocol === "https:";
}
