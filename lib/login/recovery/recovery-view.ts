/** What pages show of codes and recoveries. Moments are ISO 8601; keys and browsers are named as people know them. */

/** The recovery of a browser that is not signed in. */
export type RecoveryView<UserId = number> =
  /** There is none; no key was chosen in time; it was cancelled; it took effect. */
  | { status: "none" | "expired" | "cancelled" | "finished" }
  | {
      status: "open";
      userId: UserId;
      accountSince: string;
      expiresAt: string;
      /** How long the permission lasts. */
      leftMs: number;
    }
  /** A wallet has answered the code, and its person is asked. `waits`: a confirmed key waits before it signs in. */
  | {
      status: "answered";
      userId: UserId;
      sid: string;
      flow: "login" | "fast";
      credential: string;
      waits: boolean;
    }
  /** The login that the page names has no answer to confirm. */
  | { status: "unanswered" }
  | { status: "pending"; userId: UserId; credential: string; takesEffectAt: string };

/** A recovery that waits, as the user's signed-in browsers show it. */
export type PendingItem = {
  takesEffectAt: string;
  openedAt: string;
  /** The browser that recovers. */
  browser: string;
  credential: string;
};

/** How the codes of a user stand. */
export type CodesItem = {
  active: number;
  /** Some are under the site's secret before, and end with it. */
  ageing: boolean;
  /** Made and never typed back. */
  unconfirmed: boolean;
  /** Null where there are none. */
  madeAt: string | null;
};

/** Whose codes are made, and where they are entered: what a sheet of them says. */
export type CodeHolder = { domain: string; origin: string; userId: number | string };

/** How a user would get back into their account, for the signed-in browser. */
export type AccountRecovery = {
  holder: CodeHolder;
  waysIn: number;
  /** Of those, how many are from before the last recovery. */
  waysBefore: number;
  codes: CodesItem;
  /** When the account was recovered, until new codes are made; else null. */
  recoveredAt: string | null;
  pending: PendingItem | null;
};
