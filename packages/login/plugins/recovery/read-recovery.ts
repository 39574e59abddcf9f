import { credentialName } from "../../crypto/public-key.ts";
import { browserName } from "../../protocol/browser-name.ts";
import { isSid } from "../../protocol/qr-payload.ts";
import { readBrowserHash, readRecoveryCookie } from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import { hashSecret } from "../../server/random.ts";
import type { SentHeaders } from "../../server/web-request.ts";
import type { RecoveryRules } from "./finish-recovery.ts";
import { finishRecovery } from "./finish-recovery.ts";
import { codesState } from "./recovery-codes.ts";
import {
  countSignInMethods,
  findPendingRecovery,
  findRecoveringKey,
  findRecovery,
  type Recovery,
} from "./store/recovery.ts";
import type { CodesState } from "./store/recovery-code.ts";

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
  /** A wallet has answered the code, and its user is asked to confirm. `waits`: the confirmed key then has to wait. */
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
  /** Another recovery of the user waits until `takesEffectAt`. Only one can. */
  | { status: "blocked"; takesEffectAt: string }
  | { status: "pending"; userId: UserId; credential: string; takesEffectAt: string };

/** A pending recovery, as the user's signed-in browsers show it. */
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
  /** Whether some were made under the site's previous secret, and end with it. */
  ageing: boolean;
  /** Whether some were made but not typed back yet. */
  unconfirmed: boolean;
  /** When they were made; null if there are none. */
  madeAt: string | null;
};

/** The text of a printed sheet of codes: whose they are, and where to enter them. */
export type CodeHolder = { domain: string; origin: string; userId: number | string };

/** How a user would get back into their account, for the signed-in browser. */
export type AccountRecovery = {
  holder: CodeHolder;
  signInMethods: number;
  /** The number of those that are older than the last recovery. */
  waysBefore: number;
  codes: CodesItem;
  /** When the account was recovered; null once new codes are made, or if it never was. */
  recoveredAt: string | null;
  pending: PendingItem | null;
};

/** Where a recovery stands. `expired`: no key was chosen in time. */
type RecoveryStatus = "open" | "expired" | "pending" | "finished" | "cancelled";

/** The recovery of the browser that sends these headers, and where it stands; null when it has none. */
export async function recoveryOf(
  core: LoginCore,
  headers: SentHeaders,
): Promise<(Recovery & { status: RecoveryStatus }) | null> {
  const secret = readRecoveryCookie(headers.get("cookie"), core.origin);
  const recovery = secret === null ? null : await findRecovery(core.database, hashSecret(secret));
  return recovery && { ...recovery, status: statusOf(recovery, core.now()) };
}

function statusOf(recovery: Recovery, now: Date): RecoveryStatus {
  if (recovery.finishedAt) return "finished";
  if (recovery.cancelledAt) return "cancelled";
  if (recovery.takesEffectAt) return "pending";
  return recovery.expiresAt > now ? "open" : "expired";
}

/**
 * What a browser's page shows of its recovery. A recovery that is due takes effect now, without waiting for the job.
 * @param sid the login that the page names, whose answer is to be confirmed
 */
export async function readRecovery(
  core: LoginCore,
  headers: SentHeaders,
  sid: unknown,
  { delaySeconds, onEvent }: RecoveryRules,
): Promise<RecoveryView> {
  let recovery = await recoveryOf(core, headers);
  if (recovery?.status === "pending" && Number(recovery.takesEffectAt) <= core.now().getTime()) {
    await finishRecovery(core, recovery.id, onEvent);
    recovery = await recoveryOf(core, headers);
  }
  if (!recovery) return { status: "none" };
  const { id, status, userId, credential, accountSince, expiresAt, takesEffectAt } = recovery;
  const other = status === "open" ? await findPendingRecovery(core.database, userId) : null;
  if (other && other.takesEffectAt > core.now()) {
    return { status: "blocked", takesEffectAt: other.takesEffectAt.toISOString() };
  }
  if (status === "open" && sid !== undefined) {
    const key = await answeredKey(core, headers, id, String(sid));
    if (!key) return { status: "unanswered" };
    const { flow, value } = key;
    return {
      ...{ status: "answered", userId, sid: String(sid), flow },
      ...{ credential: credentialName(value), waits: delaySeconds > 0 },
    };
  }
  if (status === "open") {
    return {
      ...{ status, userId, accountSince: accountSince.toISOString(), expiresAt: expiresAt.toISOString() },
      leftMs: expiresAt.getTime() - core.now().getTime(),
    };
  }
  if (status !== "pending") return { status };
  return {
    ...{ status, userId, credential: credentialName(credential ?? "") },
    takesEffectAt: (takesEffectAt ?? core.now()).toISOString(),
  };
}

/** The key or address that answered this browser's code for its recovery, in the login `sid`; null when none did. */
async function answeredKey(core: LoginCore, headers: SentHeaders, recoveryId: string, sid: string) {
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  if (browserHash === null || !isSid(sid)) return null;
  return findRecoveringKey(core.database, { now: core.now(), sid, browserHash, recoveryId });
}

/** The recovery state for a signed-in browser. */

/**
 * How a user would get back into their account.
 * @param knownAs what the site calls the user
 */
export async function accountRecovery(
  core: LoginCore,
  userId: number,
  knownAs: number | string = userId,
): Promise<AccountRecovery> {
  const [ways, codes, pending] = await Promise.all([
    countSignInMethods(core.database, userId),
    codesState(core, userId),
    pendingItem(core, userId),
  ]);
  const recoveredAt = unfinishedRecoveryAt(codes)?.toISOString() ?? null;
  return { holder: codeHolder(core, knownAs), ...ways, codes: codesItem(codes), recoveredAt, pending };
}

/** A user's pending recovery; null if there is none. */
export async function pendingItem(core: LoginCore, userId: number): Promise<PendingItem | null> {
  const pending = await findPendingRecovery(core.database, userId);
  return (
    pending && {
      takesEffectAt: pending.takesEffectAt.toISOString(),
      openedAt: pending.openedAt.toISOString(),
      browser: browserName(pending.userAgent),
      credential: credentialName(pending.credential),
    }
  );
}

export function codeHolder({ origin }: LoginCore, userId: number | string): CodeHolder {
  return { domain: origin.hostname, origin: origin.origin, userId };
}

export function codesItem({ active, ageing, unconfirmed, madeAt }: CodesState): CodesItem {
  return {
    active,
    ageing: ageing > 0,
    unconfirmed: unconfirmed > 0,
    madeAt: madeAt?.toISOString() ?? null,
  };
}

/** When the account was recovered, if no new codes were made since. */
export function unfinishedRecoveryAt({ recoveredAt, madeAt }: CodesState): Date | null {
  return recoveredAt !== null && (madeAt === null || madeAt <= recoveredAt) ? recoveredAt : null;
}
