import { addSeconds } from "#lib/login/protocol/time.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import { endBrowserSessions, type SessionsEnd } from "#lib/login/store/browser-session.ts";
import { retryOnConflict } from "#lib/login/store/database.ts";
import type { Redemption } from "#lib/login/store/redeem-login.ts";
import { isUniqueViolation } from "#lib/platform/database/database-error.ts";
import type { OnRecoveryEvent } from "./events.ts";
import {
  chooseKey,
  claimRecoveredKey,
  findDueRecoveries,
  giveUpRecovery,
  takeEffect,
} from "./store/take-effect.ts";

/** A browser finishes its own recovery at once; one that waits, or whose browser was interrupted, is left to a job. */
const OWN_BROWSER_FIRST_SECONDS = 30;

/**
 * What comes before a browser with a recovery redeems a login (docs/protocol.md#104-taking-effect): if the login
 * answers the recovery's code, its key is chosen. Without a delay the recovery takes effect here, and the login is an
 * ordinary one of the account, to be redeemed next. Otherwise there is nothing to redeem, and the recovery waits. Once
 * that has taken effect, the first sign-in by its key in this browser is its own.
 * @param secret the secret in the browser's recovery cookie
 * @returns when it takes effect; null when the login is none of the recovery's, or may not be chosen
 */
export async function chooseBeforeRedeeming(
  core: LoginCore,
  login: Pick<Redemption, "sid" | "browserHash" | "browserSessionId" | "userAgent">,
  { secret, delaySeconds, onEvent }: { secret: string; delaySeconds: number; onEvent: OnRecoveryEvent },
): Promise<Date | null> {
  const now = core.now();
  await claimRecoveredKey(core.database, { ...login, secretHash: hashSecret(secret) });
  const { browserHash, browserSessionId } = login;
  const takesEffectAt = addSeconds(now, delaySeconds);
  const chosen = { ...login, now, secretHash: hashSecret(secret), takesEffectAt };
  // Another recovery of the user waits, or has been finished at this very moment.
  const choice = await nullOnConflict(() => chooseKey(core.database, chosen));
  if (choice === null) return null;
  const { id, userId } = choice;
  if (delaySeconds === 0) await finish(core, { id, browserHash, sessionId: browserSessionId }, onEvent);
  else await onEvent({ kind: "recovery_pending", userId });
  return takesEffectAt;
}

/** Has the recoveries take effect whose time has come, whether or not their browsers are still there. */
export async function finishDueRecoveries(core: LoginCore, onEvent: OnRecoveryEvent): Promise<void> {
  const due = await findDueRecoveries(core.database, addSeconds(core.now(), -OWN_BROWSER_FIRST_SECONDS));
  for (const id of due) await finishRecovery(core, id, onEvent);
}

/** Has one recovery take effect, if it is due. */
export async function finishRecovery(core: LoginCore, id: string, onEvent: OnRecoveryEvent): Promise<void> {
  await finish(core, { id, browserHash: null, sessionId: null }, onEvent);
}

async function finish(
  core: LoginCore,
  recovery: { id: string; browserHash: Uint8Array | null; sessionId: string | null },
  onEvent: OnRecoveryEvent,
): Promise<void> {
  const now = core.now();
  try {
    const recovered = await retryOnConflict(() => takeEffect(core.database, { now, ...recovery }));
    if (!recovered) return;
    // Once more, in a statement that sees what an old key has opened at that very moment.
    const { browserHash } = recovery;
    const end: SessionsEnd = { now, ...recovered, id: null, reason: "revoked", browserHash, endsHere: false };
    await retryOnConflict(() => endBrowserSessions(core.database, end));
    await onEvent({ kind: "recovered", ...recovered });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const givenUp = await giveUpRecovery(core.database, recovery.id, now);
    if (givenUp) await onEvent({ kind: "recovery_cancelled", ...givenUp });
  }
}

async function nullOnConflict<Value>(run: () => Promise<Value>): Promise<Value | null> {
  try {
    return await run();
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}
