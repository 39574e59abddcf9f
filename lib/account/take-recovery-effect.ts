import "server-only";
import { now } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { loginCore } from "#lib/platform/login.ts";
import type { RecoveryEvent } from "#lib/recovery/events.ts";
import { finishDueRecoveries } from "#lib/recovery/finish-recovery.ts";
import type { RecoveryRules } from "#lib/recovery/recovering-browser.ts";
import { forgetHostedLogins } from "./store/hosted-logins.ts";

/** How a recovery takes effect here (docs/protocol.md#104-taking-effect). Jobs run it too: no request is at hand. */

export function recoveryRules(): RecoveryRules {
  return { delaySeconds: env().RECOVERY_DELAY_HOURS * 60 * 60, onEvent: onRecoveryEvent };
}

/** What else of this application ends when an account is recovered: the logins in progress through the hosted API. */
export async function onRecoveryEvent({ kind, userId }: RecoveryEvent): Promise<void> {
  if (kind !== "recovered") return;
  await forgetHostedLogins(loginCore().database, {
    ...{ now: now(), userId, id: null, browserHash: null },
    reason: "revoked",
    endsHere: false,
  });
}

/** The job that has recoveries take effect. */
export async function finishRecoveries(): Promise<void> {
  await finishDueRecoveries(loginCore(), onRecoveryEvent);
}
