import { retryOnConflict } from "../../database/database.ts";
import { isUniqueViolation } from "../../database/database-error.ts";
import { addSeconds, RECOVERY_RETENTION_SECONDS } from "../../protocol/numbers.ts";
import {
  createExpiredRecoveryCookie,
  createRecoveryCookie,
  readRecoveryCookie,
} from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import { hashSecret } from "../../server/random.ts";
import type { Redemption } from "../../server/redeem-login.ts";
import type { RequestHeaders } from "../../server/web-request.ts";
import type { RedemptionStep } from "../../site/plugin.ts";
import { findPendingRecovery, findRecovery } from "./store/recovery.ts";
import {
  applyRecovery,
  cancelConflictingRecovery,
  chooseRecoveryKey,
  confirmRecoveredKey,
  findDueRecoveries,
} from "./store/take-effect.ts";

/** `kind` is the event's name in the account's history. */
export type RecoveryEvent = {
  kind: "recovery_codes_made" | "recovery_opened" | "recovery_pending" | "recovery_cancelled" | "recovered";
  userId: number;
};

/**
 * At `recovered`, the user's browser sessions have already ended. Each event is reported at most once, and not at all
 * if the process dies before the call. The history always contains the event.
 */
export type OnRecoveryEvent = (event: RecoveryEvent) => Promise<void>;

export type RecoveryOptions = { delaySeconds: number; onEvent: OnRecoveryEvent };

/** The job waits this long, because the recovering browser normally completes a due recovery immediately. */
const OWN_BROWSER_FIRST_SECONDS = 30;

/**
 * The recovery takes effect at `at`. `cancelled`: another request has cancelled the recovery. `blocked`: another
 * recovery of the user is pending until `at`.
 */
type Outcome = { status: "waits" | "recovered" | "cancelled" | "blocked"; at: Date };

/**
 * If the browser has opened a recovery and signs in with the login that answered the recovery's code, the recovery
 * comes first (`chooseBeforeRedeeming`). The login is then redeemed like any other login.
 */
export function createRecoveryStep(
  core: LoginCore,
  headers: RequestHeaders,
  options: RecoveryOptions,
): RedemptionStep | null {
  const { origin } = core;
  const secret = readRecoveryCookie(headers.get("cookie"), origin);
  if (secret === null) return null;
  let outcome: Outcome | null = null;
  return {
    async beforeRedemption(login) {
      outcome = await chooseBeforeRedeeming(core, login, { secret, ...options });
    },
    /** While the recovery is pending, the browser keeps its cookie, so that it can read the outcome. */
    setCookie() {
      if (outcome === null || outcome.status === "blocked") return null;
      if (outcome.status !== "waits") return createExpiredRecoveryCookie(origin);
      const waitSeconds = Math.ceil((outcome.at.getTime() - core.now().getTime()) / 1000);
      return createRecoveryCookie(secret, waitSeconds + RECOVERY_RETENTION_SECONDS, origin);
    },
    refusalMessage: () => outcome && refusedSignInReason(outcome),
  };
}

function refusedSignInReason({ status, at }: Outcome): string {
  switch (status) {
    case "waits":
      return `You are not signed in yet. The recovery waits until ${at.toISOString()}. Then sign in with the new key.`;
    case "recovered":
      return "The account is recovered, but this sign-in was undone in the wallet. Sign in with that wallet.";
    case "cancelled":
      return "The recovery was cancelled. Its code is not used up.";
    case "blocked":
      return `Another recovery of this account waits until ${at.toISOString()}. Cancel it in a browser that is signed in to the account, or wait.`;
  }
}

/**
 * Without a delay, the recovery takes effect now (docs/protocol.md#104-taking-effect), and the login is then redeemed
 * like any other login to the account. With a delay, there is nothing to redeem yet. Once the recovery has taken
 * effect, this browser is not asked for consent when the key first signs in.
 * @param secret the secret in the browser's recovery cookie
 * @returns null if the login does not belong to the recovery, or if its key cannot be chosen
 */
async function chooseBeforeRedeeming(
  core: LoginCore,
  login: Pick<Redemption, "sid" | "browserHash" | "browserSessionId" | "userAgent">,
  { secret, delaySeconds, onEvent }: { secret: string; delaySeconds: number; onEvent: OnRecoveryEvent },
): Promise<Outcome | null> {
  const now = core.now();
  await confirmRecoveredKey(core.database, { ...login, secretHash: hashSecret(secret) });
  const { browserHash, browserSessionId } = login;
  const takesEffectAt = addSeconds(now, delaySeconds);
  const chosen = { ...login, now, secretHash: hashSecret(secret), takesEffectAt };
  const choice = await chooseRecoveryKey(core.database, chosen).catch((error: unknown) => {
    if (isUniqueViolation(error)) return "blocked" as const;
    throw error;
  });
  if (choice === null) return null;
  if (choice === "blocked") {
    const at = await blockedUntil(core, chosen.secretHash);
    return at && { status: "blocked", at };
  }
  const { id, userId } = choice;
  const browser = { browserHash, sessionId: browserSessionId };
  if (delaySeconds === 0) {
    const recovers = await finishRecovery(core, id, onEvent, browser);
    return { status: recovers ? "recovered" : "cancelled", at: takesEffectAt };
  }
  await onEvent({ kind: "recovery_pending", userId });
  return { status: "waits", at: takesEffectAt };
}

/**
 * The time at which another pending recovery of the user takes effect. Null if there is none or it has just been
 * completed.
 */
async function blockedUntil({ database }: LoginCore, secretHash: Uint8Array): Promise<Date | null> {
  const recovery = await findRecovery(database, secretHash);
  const other = recovery && (await findPendingRecovery(database, recovery.userId));
  return other?.takesEffectAt ?? null;
}

export async function finishDueRecoveries(core: LoginCore, onEvent: OnRecoveryEvent): Promise<void> {
  const due = await findDueRecoveries(core.database, addSeconds(core.now(), -OWN_BROWSER_FIRST_SECONDS));
  for (const id of due) await finishRecovery(core, id, onEvent);
}

/**
 * Does nothing if the recovery is not due.
 * @param browser the recovering browser and its new session, or nulls if the job completes the recovery
 * @returns whether this call completed it
 */
export async function finishRecovery(
  core: LoginCore,
  id: string,
  onEvent: OnRecoveryEvent,
  browser: { browserHash: Uint8Array | null; sessionId: string | null } = {
    browserHash: null,
    sessionId: null,
  },
): Promise<boolean> {
  const now = core.now();
  try {
    const result = await retryOnConflict(() => applyRecovery(core.database, { now, id, ...browser }));
    if (!result) return false;
    await onEvent({ kind: "recovered", ...result });
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const measureFailure = await cancelConflictingRecovery(core.database, id, now);
    if (measureFailure) await onEvent({ kind: "recovery_cancelled", ...measureFailure });
    return false;
  }
}
