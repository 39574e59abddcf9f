import { formatCredentialName } from "../../crypto/public-key.ts";
import { browserName } from "../../protocol/browser-name.ts";
import { isSid } from "../../protocol/qr-payload.ts";
import { readBrowserHash, readRecoveryCookie } from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import { hashSecret } from "../../server/random.ts";
import type { RequestHeaders } from "../../server/web-request.ts";
import type { RecoveryOptions } from "./finish-recovery.ts";
import { finishRecovery } from "./finish-recovery.ts";
import { getRecoveryCodesState } from "./recovery-codes.ts";
import {
  countSignInMethods,
  findNewRecoveryKey,
  findPendingRecovery,
  findRecovery,
  type Recovery,
} from "./store/recovery.ts";
import type { RecoveryCodesState } from "./store/recovery-code.ts";

/** Times are in ISO 8601, and keys and browsers have readable names. */

/** In a browser that is not signed in. */
export type RecoveryView<UserId = number> =
  /** There is no recovery, or it has expired without a chosen key, been cancelled or taken effect. */
  | { status: "none" | "expired" | "cancelled" | "finished" }
  | {
      status: "open";
      userId: UserId;
      accountSince: string;
      expiresAt: string;
      leftMs: number;
    }
  /**
   * A wallet has answered the code, and the user must confirm its key. If `waits` is true, the confirmed key takes
   * effect only after a delay.
   */
  | {
      status: "answered";
      userId: UserId;
      sid: string;
      flow: "login" | "fast";
      credential: string;
      waits: boolean;
    }
  /** The login in the page's query has no answer that the user could confirm. */
  | { status: "unanswered" }
  /** Another recovery of the user is pending until `takesEffectAt`. A user can have only one pending recovery. */
  | { status: "blocked"; takesEffectAt: string }
  | { status: "pending"; userId: UserId; credential: string; takesEffectAt: string };

/** As shown in the user's signed-in browsers. */
export type PendingRecoveryInfo = {
  takesEffectAt: string;
  openedAt: string;
  browser: string;
  credential: string;
};

export type RecoveryCodesInfo = {
  active: number;
  /** Some codes depend on the site's previous secret and become invalid when it is removed. */
  ageing: boolean;
  unconfirmed: boolean;
  madeAt: string | null;
};

/** Printed on a sheet of recovery codes: whose codes they are and where to enter them. */
export type CodeHolder = { domain: string; origin: string; userId: number | string };

/** As shown in a signed-in browser. */
export type AccountRecovery = {
  holder: CodeHolder;
  signInMethods: number;
  /** Sign-in methods that predate the last recovery. */
  waysBefore: number;
  codes: RecoveryCodesInfo;
  /** Null if there was no recovery or new codes have been created since. */
  recoveredAt: string | null;
  pending: PendingRecoveryInfo | null;
};

/** `expired`: no key was chosen in time. */
type RecoveryStatus = "open" | "expired" | "pending" | "finished" | "cancelled";

export async function findBrowserRecovery(
  core: LoginCore,
  headers: RequestHeaders,
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
 * Completes a due recovery immediately instead of waiting for the job.
 * @param sid the login whose answer the user should confirm on the page
 */
export async function readRecovery(
  core: LoginCore,
  headers: RequestHeaders,
  sid: unknown,
  { delaySeconds, onEvent }: RecoveryOptions,
): Promise<RecoveryView> {
  let recovery = await findBrowserRecovery(core, headers);
  if (recovery?.status === "pending" && Number(recovery.takesEffectAt) <= core.now().getTime()) {
    await finishRecovery(core, recovery.id, onEvent);
    recovery = await findBrowserRecovery(core, headers);
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
      ...{ credential: formatCredentialName(value), waits: delaySeconds > 0 },
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
    ...{ status, userId, credential: formatCredentialName(credential ?? "") },
    takesEffectAt: (takesEffectAt ?? core.now()).toISOString(),
  };
}

async function answeredKey(core: LoginCore, headers: RequestHeaders, recoveryId: string, sid: string) {
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  if (browserHash === null || !isSid(sid)) return null;
  return findNewRecoveryKey(core.database, { now: core.now(), sid, browserHash, recoveryId });
}

export async function readAccountRecovery(
  core: LoginCore,
  userId: number,
  knownAs: number | string = userId,
): Promise<AccountRecovery> {
  const [ways, codes, pending] = await Promise.all([
    countSignInMethods(core.database, userId),
    getRecoveryCodesState(core, userId),
    readPendingRecovery(core, userId),
  ]);
  const recoveredAt = findUnfinishedRecoveryTime(codes)?.toISOString() ?? null;
  return {
    holder: describeCodeHolder(core, knownAs),
    ...ways,
    codes: toRecoveryCodesInfo(codes),
    recoveredAt,
    pending,
  };
}

export async function readPendingRecovery(
  core: LoginCore,
  userId: number,
): Promise<PendingRecoveryInfo | null> {
  const pending = await findPendingRecovery(core.database, userId);
  return (
    pending && {
      takesEffectAt: pending.takesEffectAt.toISOString(),
      openedAt: pending.openedAt.toISOString(),
      browser: browserName(pending.userAgent),
      credential: formatCredentialName(pending.credential),
    }
  );
}

export function describeCodeHolder({ origin }: LoginCore, userId: number | string): CodeHolder {
  return { domain: origin.hostname, origin: origin.origin, userId };
}

export function toRecoveryCodesInfo({
  active,
  ageing,
  unconfirmed,
  madeAt,
}: RecoveryCodesState): RecoveryCodesInfo {
  return {
    active,
    ageing: ageing > 0,
    unconfirmed: unconfirmed > 0,
    madeAt: madeAt?.toISOString() ?? null,
  };
}

/** Null if new codes have been created since the last recovery. */
export function findUnfinishedRecoveryTime({ recoveredAt, madeAt }: RecoveryCodesState): Date | null {
  return recoveredAt !== null && (madeAt === null || madeAt <= recoveredAt) ? recoveredAt : null;
}
