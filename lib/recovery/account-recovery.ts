import { browserName } from "#lib/login/protocol/browser-name.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { credentialName } from "#lib/names/credential-name.ts";
import { codesState } from "./recovery-codes.ts";
import type { AccountRecovery, CodeHolder, CodesItem, PendingItem } from "./recovery-view.ts";
import { findPendingRecovery } from "./store/recovery.ts";
import type { CodesState } from "./store/recovery-code.ts";
import { countWaysIn } from "./store/ways-in.ts";

/** What a signed-in browser is shown. */

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
    countWaysIn(core.database, userId),
    codesState(core, userId),
    pendingItem(core, userId),
  ]);
  const recoveredAt = unfinishedSince(codes)?.toISOString() ?? null;
  return { holder: codeHolder(core, knownAs), ...ways, codes: codesItem(codes), recoveredAt, pending };
}

/** The recovery of a user that waits; null when none does. */
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
export function unfinishedSince({ recoveredAt, madeAt }: CodesState): Date | null {
  return recoveredAt !== null && (madeAt === null || madeAt <= recoveredAt) ? recoveredAt : null;
}
