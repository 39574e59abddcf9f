import { randomUUID } from "node:crypto";
import { ApiError } from "../http/api-error.ts";
import { RECOVERY_PERMISSION_SECONDS } from "../protocol/numbers.ts";
import { addSeconds } from "../protocol/time.ts";
import { readRecoveryCookie } from "../server/cookies.ts";
import { isSecure, type LoginCore } from "../server/core.ts";
import { hashSecret, newSecret } from "../server/random.ts";
import type { SentHeaders } from "../server/sent-headers.ts";
import { invalidCode, macsOf } from "./recovery-codes.ts";
import { findRecovery, insertRecovery, type Recovery } from "./store/recovery.ts";

/**
 * Opens a recovery with a code: a permission to bind one new key, for the browser that gets its secret
 * (docs/protocol.md#102-post-apirecovery). It signs nobody in, and the code is not spent by it.
 * @throws {ApiError} 401 `invalid_recovery_code`
 */
export async function openRecovery(
  core: LoginCore,
  { typed, userAgent }: { typed: string; userAgent: string | null },
): Promise<{ expiresAt: Date; secret: string; userId: number }> {
  const now = core.now();
  const secret = newSecret();
  const expiresAt = addSeconds(now, RECOVERY_PERMISSION_SECONDS);
  const opened = await insertRecovery(core.database, {
    ...{ now, expiresAt, id: randomUUID(), macs: macsOf(typed, core), secretHash: hashSecret(secret) },
    userAgent,
  });
  if (!opened) throw invalidCode();
  return { expiresAt, secret, ...opened };
}

/** The recovery of the browser that sends these headers, in whatever state; null when it has none. */
export async function recoveryOf(core: LoginCore, headers: SentHeaders): Promise<Recovery | null> {
  const secret = readRecoveryCookie(headers.get("cookie"), isSecure(core));
  return secret === null ? null : findRecovery(core.database, hashSecret(secret));
}

/** Where a recovery stands. `expired`: no key was chosen in time. */
export type RecoveryStatus = "open" | "expired" | "pending" | "finished" | "cancelled";

export function statusOf(recovery: Recovery, now: Date): RecoveryStatus {
  if (recovery.finishedAt) return "finished";
  if (recovery.cancelledAt) return "cancelled";
  if (recovery.takesEffectAt) return "pending";
  return recovery.expiresAt > now ? "open" : "expired";
}

/**
 * The open recovery of the browser that asks.
 * @throws {ApiError} 401 `invalid_recovery_code` when it has none
 */
export async function requireOpenRecovery(core: LoginCore, headers: SentHeaders): Promise<Recovery> {
  const recovery = await recoveryOf(core, headers);
  if (!recovery || statusOf(recovery, core.now()) !== "open") {
    throw new ApiError(
      "invalid_recovery_code",
      "No recovery is open in this browser. Enter a recovery code first.",
    );
  }
  return recovery;
}
